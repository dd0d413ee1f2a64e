import Foundation
import TestSupport
import Testing

/// What `make fuzz` looks for, looked for in a short time: the corpus that fuzzing has left, and mutations of it that a seed repeats.
@Suite struct FuzzCorpusTests {
    /// How many mutations of each target's corpus are tried; those of stores take longer.
    private static func mutations(_ target: FuzzTarget) -> Int {
        switch target {
        case .stores, .forgeries: 300
        case .tokens: 1_000
        default: 4_000
        }
    }

    @Test(arguments: FuzzTarget.allCases) func corpus(target: FuzzTarget) throws {
        let inputs = try FuzzCorpus.inputs(of: target)
        #expect(inputs.count > 3, "the corpus of \(target) is missing")
        for (name, input) in inputs { check(target, input, name) }
    }

    @Test(arguments: FuzzTarget.allCases) func mutations(target: FuzzTarget) throws {
        let inputs = try FuzzCorpus.inputs(of: target).map(\.bytes)
        try #require(!inputs.isEmpty)
        var generator = SeededGenerator(seed: 1)
        for number in 0..<Self.mutations(target) {
            let input = Mutation.mutate(inputs[number % inputs.count], with: inputs.randomElement(using: &generator) ?? [], using: &generator)
            check(target, input, "mutation \(number)")
        }
    }

    private func check(_ target: FuzzTarget, _ input: [UInt8], _ name: String) {
        do {
            try target.check(input)
        } catch {
            Issue.record("\(target), \(name), \(Data(input).base64EncodedString()): \(error)")
        }
    }
}
