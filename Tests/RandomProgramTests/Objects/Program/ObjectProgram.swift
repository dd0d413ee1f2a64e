import TestSupport
import TroveTesting

/// Random programs over object stores: the same on every engine and on a model of plain dictionaries.
enum ObjectProgram {
    /// Runs a program on an engine, and compares each answer and all objects after each step with the model's, and at the end every byte with
    /// what the engine in memory has.
    static func run(_ steps: [ObjectStep], on engine: Engine) throws {
        let expected = try ObjectProgramRun.expectedAnswers(of: steps)
        let contents = try ObjectProgramRun.run(steps, on: engine, expected: expected)
        guard engine != .memory else { return }
        let other = try ObjectProgramRun.run(steps, on: .memory, expected: expected)
        for name in Set(contents.keys).union(other.keys).sorted() where contents[name] != other[name] {
            let place = zip(contents[name] ?? [], other[name] ?? []).prefix { $0 == $1 }.count
            throw ProgramMismatch(
                place: "the end", difference: "the bytes of '\(name)' are not those of the engine in memory, from entry \(place / 2) on")
        }
    }

    static func tester(on engines: [Engine], count: Int = 50) -> ProgramTester<ObjectStep> {
        ProgramTester("object program", subjects: engines.map { engine in .init(engine.rawValue) { try run($0, on: engine) } }) {
            var generator = ObjectProgramGenerator(seed: $0)
            return (0..<count).map { _ in generator.step() }
        }
    }
}
