import Foundation
import TestSupport
import Testing
import Trove

@testable import TroveImport

/// A source is read on another thread as it is on the caller's: the same rows in the same order, and the same error behind the same rows.
@Suite struct ReadingAheadTests {
    private struct Damaged: Error {}
    private struct Enough: Error {}

    /// Makes rows, and tells how many it has made and whether it is at it.
    ///
    /// Unchecked: it is read by one thread, and looked at with the lock.
    private final class Rows: SourceReader, @unchecked Sendable {
        private let count: Int
        private let size: Int
        private let error: (any Error)?
        private let lock = NSLock()
        private var made = 0
        private var running = 0

        init(_ count: Int, ofBytes size: Int = 0, then error: (any Error)? = nil) { (self.count, self.size, self.error) = (count, size, error) }

        var rowCount: Int? { nil }
        var madeCount: Int { lock.withLock { made } }
        var isRunning: Bool { lock.withLock { running > 0 } }

        func forEach(_ body: (SourceEvent) throws -> Void) throws {
            lock.withLock { (made, running) = (0, running + 1) }
            defer { lock.withLock { running -= 1 } }
            for number in 0..<count {
                lock.withLock { made += 1 }
                let data = StoredValue.data(Data(count: size))
                try body(.row(SourceRow(collection: "rows", id: SourceReference(space: "rows", key: .int(Int64(number))), attributes: ["data": .plain(data)], place: "\(number)")))
            }
            if let error { throw error }
        }
    }

    private func number(_ event: SourceEvent) -> Int64 { if case .row(let row) = event, case .int(let number) = row.id.key { number } else { -1 } }

    @Test(arguments: [0, 1, 255, 256, 257, 512, 10_000]) func theSameRows(count: Int) throws {
        let reader = Rows(count)
        // Twice, as a transaction that runs again does.
        for _ in 0..<2 {
            var found: [Int64] = []
            try reader.forEachAhead { found.append(number($0)) }
            #expect(found == Array(0..<Int64(count)) && !reader.isRunning)
        }
    }

    @Test(arguments: [0, 3, 256, 5_000]) func anErrorBehindTheRowsBeforeIt(count: Int) throws {
        var found = 0
        #expect(throws: Damaged.self) { try Rows(count, then: Damaged()).forEachAhead { _ in found += 1 } }
        #expect(found == count)
    }

    /// Whoever takes rows and fails is told that, and the reading has ended.
    @Test(arguments: [1, 100, 3_000]) func anErrorOfWhoTakesThem(row: Int) throws {
        let reader = Rows(1_000_000, then: Damaged())
        var found = 0
        #expect(throws: Enough.self) {
            try reader.forEachAhead { _ in
                found += 1
                if found == row { throw Enough() }
            }
        }
        #expect(found == row && !reader.isRunning && reader.madeCount <= row + 11 * 256)
    }

    /// Neither many rows nor large ones fill the memory when they are taken slowly.
    @Test(arguments: [0, 600_000]) func noMoreThanABitAhead(size: Int) throws {
        let reader = Rows(200 + 20 * 256, ofBytes: size)
        let most = size == 0 ? 11 * 256 : 11 * 2
        var taken = 0
        try reader.forEachAhead { _ in
            taken += 1
            if taken % (size == 0 ? 256 : 40) == 1 {
                // Until the reader waits.
                var before = -1
                while before != reader.madeCount {
                    before = reader.madeCount
                    usleep(2_000)
                }
                #expect(reader.madeCount - taken <= most)
            }
        }
        #expect(taken == 200 + 20 * 256)
    }
}
