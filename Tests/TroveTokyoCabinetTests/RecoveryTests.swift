import Foundation
import Synchronization
import Testing
import TroveStorage
import TroveTokyoCabinet

@Suite("Tokyo Cabinet: recovery")
struct RecoveryTests {
    private static let header = 256

    /// The files of a process that was killed inside a commit: all pages are new, and the log holds the old ones.
    private func killedInCommit(
        _ files: TemporaryStore, _ options: TokyoCabinetBackend.Options = .init(leafMembers: 8), entries: Int = 300
    ) throws -> (file: [UInt8], log: [UInt8]) {
        let store = try files.open(options)
        try store.fill("s", .buffered, numbered(entries))
        let before = try files.bytes()
        try store.fill("s", .buffered, numbered(entries * 3, value: [2, 2]))
        let after = try files.bytes()
        try store.close()
        // The library's log: the old size, then what was overwritten, the header first.
        let isBigEndian = before[40] == 0
        func number(_ value: Int, _ size: Int) -> [UInt8] { encoded(value, size, isBigEndian) }
        var log = number(before.count, 8)
        var closed = Array(before[..<Self.header])
        closed[33] = 0
        log += number(0, 8) + number(Self.header, 4) + closed
        for start in stride(from: Self.header, to: before.count, by: 4_096) {
            let end = min(start + 4_096, before.count)
            if before[start..<end] != after[start..<end] { log += number(start, 8) + number(end - start, 4) + before[start..<end] }
        }
        return (after, log)
    }

    private func encoded(_ value: Int, _ size: Int, _ isBigEndian: Bool) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    private func decoded(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
        (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where the last record of the log begins, and the file as it was before that record's page was overwritten.
    private func beforeLastPage(_ killed: (file: [UInt8], log: [UInt8])) -> (last: Int, file: [UInt8], isBigEndian: Bool) {
        let isBigEndian = killed.file[40] == 0
        func number(_ offset: Int, _ size: Int) -> Int { decoded(killed.log[offset..<offset + size], isBigEndian) }
        var (last, next) = (8, 8)
        while next < killed.log.count { (last, next) = (next, next + 12 + number(next + 8, 4)) }
        var file = killed.file
        file.replaceSubrange(number(last, 8)..<number(last, 8) + number(last + 8, 4), with: killed.log[(last + 12)...])
        return (last, file, isBigEndian)
    }

    @Test("A transaction that was cut off in its commit is undone, and the file stays locked")
    func undone() throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        // A last record that is cut off is of a page that was not overwritten yet.
        for tail in [[], [0], [UInt8](repeating: 0, count: 11), Array(killed.log[8..<40])] {
            try files.write(killed.file)
            try files.write(killed.log + tail, to: "store.tcb.wal")
            let store = try files.open(.init(leafMembers: 8))
            #expect(try store.entries()?.count == 300)
            #expect(try store.entries()?[[0, 5]] == [1])
            try store.fill("s", .durable, numbered(400, value: [3]))
            try store.close()
            #expect(try files.open().entries()?.count == 400)
        }
    }

    /// The crash loop found that a power loss between writing the log and its first sync, which leaves the log's length and none of its bytes,
    /// left a store that could not be opened: the log was taken for that of another file.
    @Test("A log that never reached the disk does not count")
    func unwrittenLog() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .durable, numbered(300))
        let open = try files.bytes()
        try store.close()
        for size in [8, 20, 276, 5_000] {
            try files.write(open)
            try files.write([UInt8](repeating: 0, count: size), to: "store.tcb.wal")
            let store = try files.open()
            #expect(try store.entries()?.count == 300)
            try store.close()
        }
    }

    /// The last record of a log may lack sectors after a power loss, and what it is of is not overwritten then. It was put back all the
    /// same, zeros over good pages. An earlier record of the same place says what was there first, and the last one then what was there in between.
    @Test("A last record that lacks sectors is not put back", arguments: [false, true])
    func tornRecord(isSecondOfItsPlace: Bool) throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        let (found, file, isBigEndian) = beforeLastPage(killed)
        var last = found
        var whole = killed.log
        if isSecondOfItsPlace {
            let size = encoded(5, 4, isBigEndian)
            let first = whole[last..<last + 8] + size + whole[last + 12..<last + 17]
            whole.replaceSubrange(last + 12..<last + 17, with: [0xB0, 0, 0, 0, 1])
            whole.insert(contentsOf: first, at: last)
            last += first.count
        }
        let firstSector = (last + 12 + 511) / 512 * 512
        for sector in stride(from: firstSector, to: whole.count, by: 512) {
            // One sector, and all from one on.
            for end in [min(sector + 512, whole.count), whole.count] {
                var log = whole
                log.replaceSubrange(sector..<end, with: repeatElement(0, count: end - sector))
                try files.write(file)
                try files.write(log, to: "store.tcb.wal")
                let store = try files.open(.init(leafMembers: 8))
                #expect(try store.entries()?.count == 300, "sectors from \(sector) to \(end) of \(log.count)")
                #expect(try store.entries()?[[0, 5]] == [1])
                try store.close()
            }
        }
    }

    /// The header of a last record may stand in two sectors of which a power loss leaves one: what followed was taken for the log of another
    /// file, or put back at a wrong place.
    @Test("A last record that lacks a sector of its header is not put back", arguments: 1...11, [false, true])
    func tornHeader(bytesBefore: Int, lacksFirst: Bool) throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        let (found, file, isBigEndian) = beforeLastPage(killed)
        var last = found
        // A page logged once more moves the last record to where a sector ends behind so many bytes of its header.
        var moved = (1_024 - bytesBefore - (last + 12) % 512) % 512
        if moved == 0 { moved = 512 }
        let page = 8 + 12 + Self.header
        var whole = killed.log
        whole.insert(contentsOf: whole[page..<page + 8] + encoded(moved, 4, isBigEndian) + whole[page + 12..<page + 12 + moved], at: last)
        last += 12 + moved
        let boundary = last + bytesBefore
        #expect(boundary % 512 == 0)
        for lost in [[], [1], [1, 2], [2, 4]] {
            var log = whole
            let start = lacksFirst ? last : boundary
            let end = lacksFirst ? boundary : min(boundary + 512, log.count)
            log.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
            for sector in lost {
                let start = boundary + sector * 512
                guard start + 512 < log.count else { continue }
                log.replaceSubrange(start..<start + 512, with: repeatElement(0, count: 512))
            }
            try files.write(file)
            try files.write(log, to: "store.tcb.wal")
            let store = try files.open(.init(leafMembers: 8))
            #expect(try store.entries()?.count == 300)
            #expect(try store.entries()?[[0, 5]] == [1])
            try store.close()
        }
    }

    /// The offset of a small record may begin with a byte of zeros at a sector's end, and its few bytes may stand near its place by chance. It counts all the same.
    @Test("A small record with a header in two sectors is put back")
    func smallRecord() throws {
        let files = try TemporaryStore()
        // With so few buckets pages begin early in the file.
        let options = TokyoCabinetBackend.Options(leafMembers: 8, bucketCount: 31)
        let killed = try killedInCommit(files, options, entries: 3_000)
        let isBigEndian = killed.file[40] == 0
        func record(_ offset: Int, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
            encoded(offset, 8, isBigEndian) + encoded(bytes.count, 4, isBigEndian) + bytes
        }
        // The file as it was, and the pages that the log brings back.
        var before = Array(killed.file[..<decoded(killed.log[..<8], isBigEndian)])
        var pages: [Range<Int>] = []
        var next = 8 + 12 + Self.header
        while next < killed.log.count {
            let offset = decoded(killed.log[next..<next + 8], isBigEndian)
            let size = decoded(killed.log[next + 8..<next + 12], isBigEndian)
            before.replaceSubrange(offset..<offset + size, with: killed.log[next + 12..<next + 12 + size])
            pages.append(offset..<offset + size)
            next += 12 + size
        }
        // The bytes of the offset in front of the sector's end are zero. If they were missing, another place as far away might be meant.
        let (bytesBefore, distance, step, end) = isBigEndian ? (6, 0x10000, 8, 0x10000) : (1, 16, 256, before.count)
        let start = try #require(
            stride(from: 512, to: min(end, before.count - distance - 8), by: step).first { before[$0..<$0 + 8].contains { $0 != 0 } })
        let (place, other) = (start..<start + 8, start + distance..<start + distance + 8)
        var log = killed.log[..<(8 + 12 + Self.header)]
        for page in pages {
            for part in [page.clamped(to: 0..<start), page.clamped(to: start + 8..<before.count)] where !part.isEmpty { log += record(part.lowerBound, before[part]) }
        }
        log += record(other.lowerBound, before[other])
        // A part that is logged twice moves the last record to where a sector ends inside its header.
        var moved = (2 * 512 - bytesBefore - (log.count + 12) % 512) % 512
        if moved == 0 { moved = 512 }
        log += record(pages[0].lowerBound, before[pages[0].prefix(moved)])
        #expect((log.count + bytesBefore) % 512 == 0)
        log += record(start, before[place])
        // The eight bytes are overwritten, and stand by chance where another record brings back another content.
        var file = killed.file
        file.replaceSubrange(place, with: before[place].map { ~$0 })
        file.replaceSubrange(other, with: before[place])
        try files.write(file)
        try files.write(Array(log), to: "store.tcb.wal")
        let store = try files.open(options)
        #expect(try files.bytes()[place] == before[place])
        #expect(try store.entries()?.count == 3_000)
        #expect(try store.entries()?[[0, 5]] == [1])
        try store.close()
    }

    /// The entry of an empty bucket is eight bytes of zeros, which look like a sector that a power loss has taken. It was not put back then, and its bucket led out of the file: one round of
    /// some thousand in the crash loop.
    @Test("The entry of an empty bucket is put back, though it looks torn", arguments: [64 << 20, 0])
    func emptyBucket(checkedFileSize: Int) throws {
        let files = try TemporaryStore()
        let options = TokyoCabinetBackend.Options(leafMembers: 8, checkedFileSize: checkedFileSize)
        let killed = try killedInCommit(files, options)
        let isBigEndian = killed.file[40] == 0
        let before = decoded(killed.log[..<8], isBigEndian)
        let empty = stride(from: Self.header, to: before - 8, by: 8).first { place in killed.file[place..<place + 8].allSatisfy { $0 == 0 } }
        let place = try #require(empty)
        var log = killed.log
        // A page logged once more lets the last record's eight bytes begin where a sector does.
        let page = 8 + 12 + Self.header
        var moved = (2 * 512 - 24 - log.count % 512) % 512
        if moved == 0 { moved = 512 }
        let again = Array(log[page + 12..<page + 12 + moved])
        log += Array(log[page..<page + 8])
        log += encoded(moved, 4, isBigEndian)
        log += again
        log += encoded(place, 8, isBigEndian)
        log += encoded(8, 4, isBigEndian)
        log += [UInt8](repeating: 0, count: 8)
        #expect((log.count - 8) % 512 == 0)
        var file = killed.file
        file.replaceSubrange(place..<place + 8, with: encoded(before, 8, isBigEndian))
        try files.write(file)
        try files.write(log, to: "store.tcb.wal")
        let store = try files.open(options)
        #expect(try files.bytes()[place..<place + 8].allSatisfy { $0 == 0 })
        #expect(try store.entries()?.count == 300)
        #expect(try store.entries()?[[0, 5]] == [1])
        try store.close()
    }

    /// The library marks the header as closed for the moment in which it logs it. A power loss that had let just that version reach the disk
    /// left the log out of account, and the transaction half there: one round of a thousand in the crash loop.
    @Test("A log beside the header it begins with counts, though that says closed")
    func closedHeader() throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        var file = killed.file
        file.replaceSubrange(..<Self.header, with: killed.log[20..<20 + Self.header])
        try files.write(file)
        try files.write(killed.log, to: "store.tcb.wal")
        let store = try files.open(.init(leafMembers: 8))
        #expect(try store.entries()?.count == 300)
        #expect(try store.entries()?[[0, 5]] == [1])
        try store.close()
    }

    /// The library fills the tree's numbers with zeros in the mapped file before it writes them anew. A process that was killed in between left a store that
    /// could not be opened, though the log had the numbers: one round of some ten thousand in the crash loop.
    @Test("A header that lacks the tree's numbers is brought back by the log", arguments: [0, 8, 16, 24, 32, 40, 48, 56])
    func emptiedTreeHeader(written: Int) throws {
        let files = try TemporaryStore()
        var killed = try killedInCommit(files)
        let numbers = 128..<192
        killed.file.replaceSubrange(numbers.dropFirst(written), with: repeatElement(0, count: numbers.count - written))
        try files.write(killed.file)
        try files.write(killed.log, to: "store.tcb.wal")
        let store = try files.open(.init(leafMembers: 8))
        #expect(try store.entries()?.count == 300)
        #expect(try store.entries()?[[0, 5]] == [1])
        try store.close()
        // Without a log nothing says what they were, and nothing is changed.
        try files.write(killed.file)
        let error = #expect(throws: StorageError.self) { try files.open() }
        #expect(error?.name == "corrupt")
        #expect(try files.bytes() == killed.file)
    }

    /// Looks all the time: of 300 closings that wrote zeros first, it saw 5 do so.
    @Test("The tree's numbers are in the file at every moment of opening and closing it, which no log brings back")
    func closingKeepsTreeHeader() throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("s", .buffered, numbered(300))
        try store.close()
        let descriptor = open(files.path, O_RDONLY)
        defer { close(descriptor) }
        let map = try #require(mmap(nil, Self.header, PROT_READ, MAP_SHARED, descriptor, 0))
        defer { munmap(map, Self.header) }
        // The sizes of pages, the first of the numbers.
        nonisolated(unsafe) let sizes = UnsafePointer<UInt64>(map.advanced(by: 136).assumingMemoryBound(to: UInt64.self))
        let hasEnded = Atomic(false)
        let lacks = Atomic(0)
        try Threads.run(2) { index in
            guard index == 0 else {
                while !hasEnded.load(ordering: .acquiring) { if sizes.pointee == 0 { lacks.add(1, ordering: .relaxed) } }
                return
            }
            defer { hasEnded.store(true, ordering: .releasing) }
            for _ in 0..<300 { try files.open().close() }
        }
        #expect(lacks.load(ordering: .relaxed) == 0)
    }

    /// The header in the log says closed, and beside a file that was closed a log does not count. Recovery wrote it and then set the flag: a power loss in
    /// between, of which the page store had written half a header, left the transaction half there. Looks all the time: of 50 recoveries of that kind it saw each, many times.
    @Test("The header says open at every moment of recovery")
    func headerSaysOpen() throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        try files.write(killed.file)
        let descriptor = open(files.path, O_RDWR)
        defer { close(descriptor) }
        // Odd while the file is being opened; negative at the end.
        let phase = Atomic(0)
        let closed = Atomic(0)
        try Threads.run(2) { index in
            guard index == 0 else {
                while true {
                    let before = phase.load(ordering: .acquiring)
                    if before < 0 { return }
                    var flags: UInt8 = 1
                    let isRead = pread(descriptor, &flags, 1, 33) == 1
                    if isRead, before % 2 == 1, flags & 1 == 0, phase.load(ordering: .acquiring) == before { closed.add(1, ordering: .relaxed) }
                }
            }
            defer { phase.store(-1, ordering: .releasing) }
            for round in 0..<50 {
                // In its place, where the other thread looks.
                _ = killed.file.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
                try #require(ftruncate(descriptor, off_t(killed.file.count)) == 0)
                try files.write(killed.log, to: "store.tcb.wal")
                phase.store(2 * round + 1, ordering: .releasing)
                let store = try files.open(.init(leafMembers: 8))
                phase.store(2 * round + 2, ordering: .releasing)
                #expect(try store.entries()?.count == 300)
                try store.close()
            }
        }
        #expect(closed.load(ordering: .relaxed) == 0)
    }

    @Test("A log that is damaged or of another file changes nothing")
    func foreignLog() throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        var wrongSize = killed.log
        wrongSize[8 + 12 + Self.header + 8] ^= 0x70
        var otherFile = killed.log
        otherFile[8 + 12 + 34] ^= 1
        for log in [wrongSize, otherFile] {
            try files.write(killed.file)
            try files.write(log, to: "store.tcb.wal")
            let error = #expect(throws: StorageError.self) { try files.open() }
            #expect(error?.name == "corrupt")
            #expect(try files.bytes() == killed.file)
            #expect(try files.bytes("store.tcb.wal") == log)
        }
    }

    @Test("A log left beside a file that was closed does not count")
    func staleLog() throws {
        let files = try TemporaryStore()
        let killed = try killedInCommit(files)
        try files.write(killed.log, to: "store.tcb.wal")
        #expect(try files.open().entries()?.count == 900)
    }

    @Test("Counts are right after a crash, with and without the walk through the pages", arguments: [0, 1 << 30])
    func counts(checkedFileSize: Int) throws {
        let files = try TemporaryStore()
        let store = try files.open()
        try store.fill("a", .buffered, numbered(70))
        try store.fill("b", .buffered, numbered(9))
        let open = try files.bytes()
        try store.close()
        try files.write(open)
        let again = try files.open(.init(checkedFileSize: checkedFileSize))
        func counts() throws -> [Int] {
            try again.read { reader in
                try ["a", "b"].map { try reader.keyspace(named: $0).map { try reader.count(in: $0) } ?? -1 }
            }
        }
        #expect(try counts() == [70, 9])
        try again.write(.buffered) { writer in
            let keyspace = try writer.createKeyspace(named: "b")
            #expect(try writer.count(in: keyspace) == 9)
            try writer.put([9, 9, 9], [], in: keyspace)
            #expect(try writer.count(in: keyspace) == 10)
        }
        #expect(try counts() == [70, 10])
    }
}
