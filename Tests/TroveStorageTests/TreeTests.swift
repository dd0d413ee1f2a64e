import EngineSupport
import Testing

@testable import TroveMemory
import TroveStorage

/// The memory engine's tree against a dictionary, with its structure checked.
struct TreeTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6])
    func `random changes agree with a model and keep the structure`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var tree = Tree()
        var model: [[UInt8]: [UInt8]] = [:]
        // Each seed has keys and values of another kind: short, with common beginnings, long, with large values.
        let keyLengths = [1...3, 1...2, 8...16, 100...511, 1...511, 1...8][Int(seed) - 1]
        let valueLengths = [0...20, 0...1_000, 0...300, 0...600, 0...3_000, 400...560][Int(seed) - 1]
        for step in 0..<2_500 {
            let key = generator.key(keyLengths)
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<60:
                let value = generator.bytes(valueLengths)
                tree.put(key, value)
                model[key] = value
            case 60..<98:
                let present = model.keys.randomElement(using: &generator) ?? key
                let target = step % 2 == 0 ? present : key
                #expect(tree.has(target) == (model[target] != nil))
                if model.removeValue(forKey: target) != nil { tree.delete(target) }
            default:
                let range = KeyRange(from: key, upTo: step % 5 == 0 ? nil : key + generator.key(1...2))
                let before = model.count
                model = model.filter { !range.contains($0.key) }
                #expect(tree.deleteRange(from: range.lower, upTo: range.upper) == before - model.count)
            }
            if step % 100 == 0 { try #require(tree.brokenInvariant() == nil, "step \(step)") }
            if step % 500 == 0 { try #require(tree.contents() == model.inKeyOrder(), "step \(step)") }
        }
        #expect(tree.contents() == model.inKeyOrder())
        #expect(tree.contents(order: .descending) == model.inKeyOrder().reversed())
        #expect(tree.repacked().contents() == tree.contents())
        #expect(tree.repacked().brokenInvariant() == nil)
    }

    @Test func `deleting everything in any order leaves an empty tree`() throws {
        let numbers = Array(0..<5_000)
        var generator = SeededGenerator(seed: 7)
        for order in [numbers, numbers.reversed(), numbers.shuffled(using: &generator)] {
            var tree = Tree()
            for number in numbers { tree.put(number.key, number.key) }
            for (step, number) in order.enumerated() {
                let key = number.key
                tree.delete(key)
                if step % 250 == 0 { try #require(tree.brokenInvariant() == nil) }
            }
            #expect(tree.root == nil)
        }
    }

    @Test func `ascending and descending loads fill their nodes`() {
        let value = [UInt8](repeating: 1, count: 90)
        for order in [Array(0..<20_000), Array((0..<20_000).reversed())] {
            var tree = Tree()
            for number in order {
                let key = number.key
                tree.put(key, value)
            }
            #expect(tree.brokenInvariant() == nil)
            #expect(tree.count == 20_000)
            // 20,000 entries of 114 bytes in blocks of 4,096: 35 in each of 571 leaves.
            #expect(tree.leafCount < 600)
        }
    }

    @Test func `versions share nodes and do not see each other's changes`() {
        var generator = SeededGenerator(seed: 8)
        var tree = Tree()
        var versions: [(tree: Tree, contents: [Pair])] = []
        for step in 0..<2_500 {
            let key = generator.key(1...4)
            let value = generator.bytes(0...700)
            if step % 3 == 2 && tree.has(key) {
                tree.delete(key)
            } else {
                tree.put(key, value)
            }
            if step % 200 == 0 { versions.append((tree, tree.contents())) }
        }
        _ = tree.deleteRange(from: [], upTo: [0x70])
        for (version, contents) in versions {
            #expect(version.contents() == contents)
            #expect(version.brokenInvariant() == nil)
        }
    }

    @Test func `one change of a shared tree copies one path only`() throws {
        var tree = Tree()
        for number in 0..<50_000 {
            let key = number.key
            tree.put(key, key)
        }
        let before = tree
        let key = 25_000.key
        tree.put(key, [9])
        let old = before.nodes
        let new = tree.nodes
        #expect(new.subtracting(old).count == tree.depth)
    }

    @Test func `readers walk a version while a writer changes the next ones`() async throws {
        var tree = Tree()
        for number in 0..<3_000 {
            let key = number.key
            tree.put(key, key)
        }
        let version = tree
        let expected = version.contents()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<30 where version.contents() != expected { return false }
                    return true
                }
            }
            for number in 0..<8_000 {
                let key = (number % 4_000).key
                tree.put(key, (number + 1).key)
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(tree.brokenInvariant() == nil)
    }

    @Test func `a path walks both ways and finds its way from anywhere`() {
        var tree = Tree()
        for number in 0..<2_000 {
            let key = (number * 2).key
            tree.put(key, key)
        }
        var path = TreePath()
        for start in stride(from: 0, to: 4_000, by: 111) {
            start.key.withUnsafeBytes { path.seek($0, in: tree) }
            var expected = (start + 1) / 2 * 2
            for step in [1, 1, -1, 1, -1, -1, -1] {
                #expect(path.key == (expected < 4_000 && expected >= 0 ? expected.key : nil))
                if path.key == nil { break }
                if step > 0 { path.stepUp() } else { path.stepDown() }
                expected += 2 * step
            }
            start.key.withUnsafeBytes { path.seekBelow($0, in: tree) }
            #expect(path.key == (start == 0 ? nil : ((start - 1) / 2 * 2).key))
        }
        path.seekToLast(in: tree)
        #expect(path.key == 3_998.key)
        path.stepUp()
        #expect(path.key == nil)
    }

    @Test func `keys that differ only after their heads are told apart`() {
        var tree = Tree()
        let keys = (0..<3_000).map { [UInt8](repeating: 0x61, count: 40) + $0.key } + (0..<300).map { [UInt8](repeating: 0, count: $0 + 1) }
        for key in keys { tree.put(key, key) }
        #expect(tree.brokenInvariant() == nil)
        for key in keys {
            #expect(tree.has(key))
            let longer = key + [0x61]
            #expect(tree.has(longer) == keys.contains(longer))
        }
    }
}
