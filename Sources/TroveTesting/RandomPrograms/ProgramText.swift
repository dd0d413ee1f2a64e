import Foundation

/// Programs as text: a line of JSON for each step.
public enum ProgramText {
    /// The text of a program, as it is printed and read back.
    public static func text<Step: ProgramStep>(of steps: [Step]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try steps.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
    }

    /// The steps of a text that ``text(of:)`` made, or of a whole failure as it was printed: lines that do not begin with a brace are passed over.
    ///
    /// - Throws: ``UnreadableProgram`` when a line is no step, with its number, or when there is no step at all.
    public static func steps<Step: ProgramStep>(_ type: Step.Type = Step.self, from text: String) throws -> [Step] {
        var steps: [Step] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.drop { $0 == " " }
            guard line.hasPrefix("{") else { continue }
            do {
                steps.append(try JSONDecoder().decode(Step.self, from: Data(line.utf8)))
            } catch {
                throw UnreadableProgram(line: number + 1, reason: "it is no step of this kind of program: \(error)")
            }
        }
        guard !steps.isEmpty else { throw UnreadableProgram(line: nil, reason: "there is no step; a step is a line of JSON, as failures print it") }
        return steps
    }
}

/// The reason why the text of a program cannot be read.
public struct UnreadableProgram: Error, CustomStringConvertible {
    /// The line's number, from 1; nil when the whole text is meant.
    public let line: Int?
    let reason: String

    public var description: String { line.map { "line \($0) of the program: \(reason)" } ?? "the program: \(reason)" }
}
