import Testing

@testable import Trove

/// A chain of objects.
@Model
final class LiveLink {
    var number: Int
    @Relationship var next: LiveLink?
    @Relationship var branches: [LiveLink] = []
    @Relationship var list: ObjectList<LiveLink> = []
    @Relationship var named: [String: LiveLink] = [:]
    @Relationship var crowd: Set<LiveLink> = []

    init(number: Int) {
        self.number = number
    }
}

@Suite struct LiveChainTests {
    enum Shape: CaseIterable, Sendable {
        case one, array, list, dictionary, set
    }

    /// Objects in no context hold each other. Each was freed inside of the end of the one before, until the stack was full.
    @Test(arguments: Shape.allCases) func aLongChainIsFreed(shape: Shape) {
        weak var last: LiveLink?
        weak var middle: LiveLink?
        do {
            var head = LiveLink(number: 0)
            last = head
            for number in 1...100_000 {
                let link = LiveLink(number: number)
                switch shape {
                case .one: link.next = head
                case .array: link.branches.append(head)
                case .list: link.list.append(head)
                case .dictionary: link.named["next"] = head
                case .set: link.crowd.insert(head)
                }
                if number == 50_000 { middle = link }
                head = link
            }
            #expect(last != nil && middle != nil)
        }
        #expect(last == nil && middle == nil)
    }

    /// A value that was taken out and put back is the same, and copies do not share what is changed.
    @Test func whatIsHeldIsAValue() {
        let (first, second) = (LiveLink(number: 1), LiveLink(number: 2))
        first.branches = [second]
        var copy = first.branches
        copy.append(first)
        #expect(first.branches == [second])
        first.branches.append(second)
        #expect(first.branches == [second, second])
        first.branches.removeAll()
        #expect(first.branches.isEmpty)
        first.next = second
        first.next = nil
        #expect(first.next == nil)
        first.list.append(second)
        #expect(first.list.count == 1 && first.list.first === second)
    }
}
