#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The walk through the tree of pages.
extension PageWalk {
    /// A page to visit, with the keys its entries lie between.
    private struct Visit {
        let identity: UInt64
        let depth: Int
        let lower: UnsafeRawBufferPointer?
        let upper: UnsafeRawBufferPointer?
    }

    /// Visits the tree from left to right, and compares the leaves met with their chain.
    mutating func checkTree() throws {
        var visits = [Visit(identity: header.root, depth: 0, lower: nil, upper: nil)]
        var previousLeaf: UInt64 = 0
        var expectedLeaf = header.firstLeaf
        var visited = 0
        var entries: UInt64 = 0
        while let visit = visits.popLast() {
            visited += 1
            // The library keeps the way down in an array of 64.
            guard visited <= pages.count, visit.depth < 60 else { throw Damage(what: "the tree runs in a circle") }
            guard let page = pages[visit.identity] else { throw Damage(what: "a page of the tree is missing") }
            var reader = PageReader(bytes, page.offset..<page.offset + page.size)
            if visit.identity > FileHeader.nodeBase {
                try visits.append(contentsOf: children(of: visit, &reader).reversed())
                continue
            }
            guard visit.identity == expectedLeaf else { throw Damage(what: "the chain of leaves is broken") }
            guard try reader.number(below: FileHeader.nodeBase) == previousLeaf else {
                throw Damage(what: "the chain of leaves is broken")
            }
            previousLeaf = visit.identity
            expectedLeaf = UInt64(try reader.number(below: FileHeader.nodeBase))
            entries += try checkEntries(of: visit, &reader)
        }
        guard expectedLeaf == 0, previousLeaf == header.lastLeaf else { throw Damage(what: "the chain of leaves is broken") }
        guard entries == header.entryCount else { throw Damage(what: "entries are missing") }
    }

    private func children(of visit: Visit, _ reader: inout PageReader) throws -> [Visit] {
        let limit = FileHeader.nodeBase + header.nodeNumber
        var child = UInt64(try reader.number(below: limit))
        var lower = visit.lower
        var children: [Visit] = []
        while !reader.isAtEnd {
            let next = UInt64(try reader.number(below: limit))
            let key = try reader.bytes(try reader.number(below: 1_024))
            try check(key, isAbove: lower, orEqual: children.isEmpty, below: visit.upper)
            children.append(Visit(identity: child, depth: visit.depth + 1, lower: lower, upper: key))
            (child, lower) = (next, key)
        }
        children.append(Visit(identity: child, depth: visit.depth + 1, lower: lower, upper: visit.upper))
        return children
    }

    private mutating func checkEntries(of visit: Visit, _ reader: inout PageReader) throws -> UInt64 {
        var previous = visit.lower
        var entries: UInt64 = 0
        var (keyspace, run): (UInt32, Int) = (0, 0)
        while !reader.isAtEnd {
            let keySize = try reader.number(below: 1_024)
            let valueSize = try reader.number(below: UInt64(Int32.max))
            // Trove never stores two values under one key.
            guard try reader.number(below: 0) == 0, keySize > KeyPrefix.size else { throw Damage(what: "a page holds an impossible entry") }
            let key = try reader.bytes(keySize)
            try reader.skip(valueSize)
            try check(key, isAbove: previous, orEqual: entries == 0, below: visit.upper)
            previous = key
            entries += 1
            let number = UInt32(bigEndian: key.loadUnaligned(as: UInt32.self))
            if number != keyspace {
                if run > 0 { add(run, to: keyspace) }
                (keyspace, run) = (number, 0)
            }
            run += 1
        }
        if run > 0 { add(run, to: keyspace) }
        return entries
    }

    private func check(
        _ key: UnsafeRawBufferPointer, isAbove lower: UnsafeRawBufferPointer?, orEqual: Bool, below upper: UnsafeRawBufferPointer?
    ) throws {
        if let lower {
            let order = compare(lower, key)
            guard order < 0 || (orEqual && order == 0) else { throw Damage(what: "keys are out of order") }
        }
        if let upper, compare(key, upper) >= 0 { throw Damage(what: "keys are out of order") }
    }

    private func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        let order = common == 0 ? 0 : Int(memcmp(left.baseAddress!, right.baseAddress!, common))
        return order == 0 ? left.count - right.count : order
    }
}
