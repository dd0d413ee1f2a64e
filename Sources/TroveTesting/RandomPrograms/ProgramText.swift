import Foundation

/// Programs as text: a line of JSON for each step.
public enum ProgramText {
    /// A program as it is printed and fed back.
    public static func text<Step: ProgramStep>(of steps: [Step]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try steps.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
    }

    /// The steps of a text that ``text(of:)`` made. Empty lines are passed over.
    ///
    /// - Throws: `DecodingError` when a line is no step.
    public static func steps<Step: ProgramStep>(_ type: Step.Type = Step.self, from text: String) throws -> [Step] {
        try text.split(whereSeparator: \.isNewline).map { try JSONDecoder().decode(Step.self, from: Data($0.utf8)) }
    }
}
