import TestSupport
import Testing

@testable import Trove

@Model
final class LiveLink {
    var number: Int
    @Relationship var next: LiveLink?
    @Relationship var others: [LiveLink] = []

    init(_ number: Int, next: LiveLink? = nil) {
        self.number = number
        self.next = next
    }
}

/// Objects in no context hold those they point at; a chain of them is as long as memory goes.
@Suite struct LongChainTests {
    @Test(arguments: [false, true]) func areFreedWithoutRecursion(inCollections: Bool) {
        weak var last: LiveLink?
        do {
            var head = LiveLink(0)
            last = head
            for number in 1...100_000 {
                let link = inCollections ? LiveLink(number) : LiveLink(number, next: head)
                if inCollections { link.others = [head] }
                head = link
            }
            #expect(head.number == 100_000 && last != nil)
        }
        #expect(last == nil, "all are freed")
    }
}
