import Synchronization

/// The nodes that were opened last, by number, tag and the count of the entries below. A version of a node never changes, so one that is here is right for
/// every transaction that has a pointer to it.
final class PageCache: Sendable {
    private struct Name: Hashable {
        let number: UInt64
        let tag: Tag
        /// A forged pointer may say another one, which then is checked as that of a node that is opened.
        let count: Int

        func hash(into hasher: inout Hasher) { hasher.combine(tag.low) }
    }

    /// Threads that ask for different pages seldom meet.
    private final class Part: Sendable {
        let pages: Mutex<Generations<Name, Page>>

        init(capacity: Int) { pages = Mutex(Generations(capacity: capacity)) }
    }

    private let parts: [Part]

    /// - Parameter size: how many bytes of nodes are kept at the most.
    init(size: Int) { parts = (0..<16).map { _ in Part(capacity: size / 16) } }

    private func part(_ tag: Tag) -> Part { parts[Int(truncatingIfNeeded: tag.high) & 15] }

    func page(_ pointer: ChildPointer) -> Page? {
        part(pointer.tag).pages.withLock { $0.find(Name(number: pointer.number, tag: pointer.tag, count: pointer.count)) }
    }

    func add(_ page: Page, _ number: UInt64, _ tag: Tag, count: Int) {
        part(tag).pages.withLock { $0.add(page, Name(number: number, tag: tag, count: count), size: page.entries.bytes.count) }
    }

    func forget() {
        for part in parts { part.pages.withLock { $0.removeAll() } }
    }
}
