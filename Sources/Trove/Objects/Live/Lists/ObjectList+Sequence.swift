extension ObjectList: Sequence {
    /// Gives the objects in order, loading some hundred at a time; those that are no longer there are left out.
    public struct Iterator: IteratorProtocol {
        private static var batchSize: Int { 256 }

        private let list: ObjectList
        private var position = 0
        private var batch: ArraySlice<Element> = []

        init(_ list: ObjectList) {
            self.list = list
        }

        public mutating func next() -> Element? {
            while batch.isEmpty {
                if position == list.count { return nil }
                let end = Swift.min(position + Self.batchSize, list.count)
                batch = list.objects(in: position..<end)[...]
                position = end
            }
            return batch.removeFirst()
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    private func objects(in range: Range<Int>) -> [Element] {
        let part = references[range]
        if held.isEmpty { return scope?.objects(Array(part)) ?? [] }
        let others = part.filter { held[$0] == nil }
        let found = [Reference<Element>: Element](
            (scope?.objects(others) ?? []).map { (Reference($0), $0) }, uniquingKeysWith: { first, _ in first })
        return part.compactMap { held[$0] ?? found[$0] }
    }
}
