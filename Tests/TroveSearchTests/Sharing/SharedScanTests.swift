import Foundation
import Synchronization
import TestSupport
import Testing
@testable import Trove

/// Scans that several threads read, with stores so small and pieces so short that threads give and take all the time.
@Suite struct SharedScanTests {
    /// A store with random tracks, whose scans are shared after a few records.
    private func fixture(_ engine: Engine, count: Int, _ random: inout SeededGenerator) throws -> (StoreFixture, [Tune]) {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, scanThreads: 4, models: Tune.self, Named.self) }
        fixture.store.shareScans()
        let tracks = (0..<count).map { _ in Tune.random(&random) }
        try fixture.store.save(tracks)
        return (fixture, tracks.sorted { $0.id < $1.id })
    }

    @Test(arguments: Engine.allCases) func answersAreThoseOfPlainSwift(_ engine: Engine) throws {
        let seed: UInt64 = 11_08
        var random = SeededGenerator(seed: seed)
        let (fixture, tracks) = try fixture(engine, count: 400, &random)
        for number in 0..<TestShare.rounds(150) {
            let query = OracleQuery.random(&random, tracks)
            let expected = query.answer(tracks)
            let fetch = query.fetch(fixture.store.fetch(Tune.self))
            let note: Comment = "seed \(seed), query \(number): \(query)"
            #expect(try fetch.ids() == expected.map(\.id), note)
            #expect(try fetch.all().map(\.id) == expected.map(\.id), note)
            #expect(try fetch.count() == expected.count, note)
            #expect(try fetch.first()?.id == expected.first?.id, note)
            let (count, seconds, least, greatest, artists) = try fetch.aggregate(
                .count, .sum(\.seconds), .minimum(\.title), .maximum(\.year), .countDistinct(\.artist))
            #expect(count == expected.count, note)
            #expect(seconds == expected.reduce(0) { $0 + Int($1.seconds) }, note)
            #expect(least == expected.map(\.title).min { OracleSort.order($0, $1) < 0 }, note)
            #expect(greatest == expected.map(\.year).max(), note)
            #expect(artists == Set(expected.map { Array($0.artist.utf8) }).count, note)
            let groups = try fetch.grouped(by: \.year).aggregate(.count, .sum(\.seconds))
            let years = Dictionary(grouping: expected, by: \.year)
            #expect(groups.map(\.key) == years.keys.sorted(), note)
            for group in groups {
                #expect(group.values.0 == years[group.key]?.count, note)
                #expect(group.values.1 == years[group.key]?.reduce(0) { $0 + Int($1.seconds) }, note)
            }
        }
        #expect(fixture.store.core.scanThreads.take() == 3, "threads are given back")
    }

    /// Sums of floating-point numbers are exact before they are rounded once, so that pieces make no difference; nor does which of two equal values stands for both.
    @Test(arguments: Engine.allCases) func severalThreadsAnswerAsOne(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 5)
        let (fixture, _) = try fixture(engine, count: 600, &random)
        let one = try ObjectStore(engine.open(fixture.directory.file()), durability: .relaxed, scanThreads: 1, models: Tune.self, Named.self)
        defer { #expect(throws: Never.self) { try one.close() } }
        for seconds in [Int32.min, 20, 150] {
            func fetch(_ store: ObjectStore) -> Fetch<Tune, ObjectStore> { store.fetch(Tune.self).where { $0.seconds > seconds && $0.rating < 100 } }
            let wanted = try fetch(one).aggregate(.sum(\.rating), .average(\.rating), .minimum(\.rating), .maximum(\.rating))
            for _ in 0..<10 {
                let found = try fetch(fixture.store).aggregate(.sum(\.rating), .average(\.rating), .minimum(\.rating), .maximum(\.rating))
                #expect("\(found)" == "\(wanted)")
                #expect(try "\(fetch(fixture.store).grouped(by: \.rating).aggregate(.count))" == "\(fetch(one).grouped(by: \.rating).aggregate(.count))")
                #expect(try fetch(fixture.store).all() == fetch(one).all())
            }
        }
        #expect(try fixture.store.fetch(Tune.self).all().count == 600)
    }

    @Test(arguments: Engine.allCases) func thePlanTellsTheThreads(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 3)
        let (fixture, _) = try fixture(engine, count: 3_000, &random)
        let fetch = fixture.store.fetch(Tune.self).where { $0.year > 1_957 }
        let isShared = fixture.store.capabilities.sharesSnapshots
        // The threads may come too late for one scan.
        let shared = try (0..<200).first { _ in try "\(fetch.explain())".contains(" threads") }
        #expect((shared != nil) == isShared)
        let one = try ObjectStore(engine.open(fixture.directory.file()), scanThreads: 1, models: Tune.self, Named.self)
        one.shareScans()
        #expect(try !"\(one.fetch(Tune.self).where { $0.year > 1_957 }.explain())".contains("threads"))
        try one.close()
        let rows = try fetch.explain().steps.first { $0.kind == .scan }?.actualRows
        #expect(rows == 3_000)
    }

    @Model("named") struct Named: Equatable {
        var id: String
        var number: Int
    }

    /// Ids that stand close together, far from each other, begin alike, and are longer than a key.
    @Test(arguments: Engine.allCases) func idsOfAnyKind(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 17)
        let (fixture, _) = try fixture(engine, count: 0, &random)
        let store = fixture.store
        var expected: [String: Int] = [:]
        func check(_ note: Comment) throws {
            try store.save(expected.map { Named(id: $0, number: $1) })
            for bound in [-1, 40, 1_000_000] {
                let fetch = store.fetch(Named.self).where { $0.number > bound }
                let wanted = expected.filter { $0.value > bound }
                #expect(try fetch.count() == wanted.count, note)
                #expect(try fetch.sum(\.number) == wanted.values.reduce(0, +), note)
                let ids = wanted.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
                #expect(try fetch.ids() == ids, note)
                #expect(try fetch.all().map(\.id) == ids, note)
            }
            #expect(try store.fetch(Named.self).all().count == expected.count, note)
        }
        for number in 0..<300 { expected["user-\(number)"] = number }
        try check("ids that begin alike")
        for number in 0..<50 { expected[String(repeating: "z", count: 1 << (number % 8)) + "\(number)"] = number }
        expected["\u{1}"] = 77
        expected["\u{10FFFF}"] = 78
        try check("ids far from each other")
        for number in 0..<20 { expected[String(repeating: "long", count: 150) + "\(number)"] = number }
        try check("ids longer than a key")
    }

    @Test(arguments: Engine.allCases) func anErrorIsThatOfOneThread(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 23)
        let (fixture, tracks) = try fixture(engine, count: 500, &random)
        let store = fixture.store
        for place in [499, 260, 3] {
            try store.core.backend.write(.relaxed) { writer in
                guard let keyspace = try writer.keyspace(named: "Tune") else { return }
                let key = RecordKey(tracks[place].id.keyBytes).bytes
                var record = try writer.value(of: key, in: keyspace) ?? []
                record[record.count - 1] ^= 1
                try writer.put(key, record, in: keyspace)
            }
            // The first one in the order of the keys is told, whichever thread met another one before.
            for _ in 0..<20 {
                for read in [{ _ = try store.fetch(Tune.self).where { $0.year > 0 }.count() }, { _ = try store.fetch(Tune.self).all() }, { _ = try store.fetch(Tune.self).sum(\.seconds) }] {
                    do {
                        try read()
                        Issue.record("a damaged record was read")
                    } catch TroveError.corruptRecord(let model, let id, _) {
                        #expect(model == "Tune")
                        #expect(id == "\(tracks[place].id)")
                    }
                }
            }
        }
        #expect(store.core.scanThreads.take() == 3, "threads are given back")
    }

    /// Sums of parts are those of all numbers.
    @Test func sumsOfSums() {
        func sum(_ numbers: [StoredValue]) -> NumberSum? {
            var sum = NumberSum()
            for number in numbers {
                let isNumber = sum.add(number)
                if !isNumber { return nil }
            }
            return sum
        }
        func joined(_ parts: [NumberSum?]) -> NumberSum? {
            var whole = NumberSum()
            for part in parts {
                guard let part else { return nil }
                whole.add(part)
            }
            return whole
        }
        let decimals = ["1e38", "-1e38", "1e-10"].map { StoredValue.decimal(Decimal(string: $0) ?? 0) }
        #expect(sum(decimals)?.total(ofType: .decimal) == decimals[2])
        for place in 0...decimals.count {
            let parts = joined([sum(Array(decimals[place...])), sum(Array(decimals[..<place]))])
            #expect(parts?.total(ofType: .decimal) == decimals[2], "\(place)")
        }
        let integers = [Int64.max, .max, .min, 1].map { StoredValue.int($0) }
        let joinedIntegers = joined(integers.map { sum([$0]) })
        #expect(joinedIntegers?.total(ofType: .int64) == .int(.max) && joinedIntegers?.count == 4)
        for numbers in [[1e308, 1e308, -1e308], [1, 1e100, 1, -1e100], [.infinity, 1], [.nan, .infinity], [0.1, 0.2, 0.3, 0.4]] {
            let values = numbers.map { StoredValue.double($0) }
            for place in 0...values.count {
                let parts = joined([sum(Array(values[..<place])), sum(Array(values[place...]))])
                #expect("\(parts?.total(ofType: .double) as Any)" == "\(sum(values)?.total(ofType: .double) as Any)", "\(numbers), \(place)")
            }
        }
    }

    @Test(arguments: Engine.allCases) func aCancelledScanEndsOnAllThreads(_ engine: Engine) async throws {
        var random = SeededGenerator(seed: 29)
        let (fixture, tunes) = try fixture(engine, count: 400, &random)
        let store = fixture.store
        // Each record takes a while, so that the task is cancelled in the middle: the pattern is looked for in a long text.
        try await store.save(tunes.map { tune in
            var tune = tune
            tune.title = String(repeating: "l", count: 40_000)
            return tune
        })
        // On a reader thread: were it one of the tasks' own, nobody could cancel while all of these are busy.
        let slow: @Sendable () async throws -> Int = { try await store.fetch(Tune.self).where(.matches(.path(FieldPath("title")), pattern: "(l+o?n?g? ?)+[xyz]")).count() }
        for _ in 0..<3 {
            let task = Task.detached { try await slow() }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            let outcome = await task.result
            #expect(throws: CancellationError.self) { try outcome.get() }
            #expect(store.core.scanThreads.take() == 3, "threads are given back")
            store.core.scanThreads.give(3)
            #expect(try store.core.backend.statistics().activeReaders == 0)
        }
        let late = store.fetch(Tune.self).where(.matches(.path(FieldPath("title")), pattern: "(l+o?n?g? ?)+[xyz]")).deadline(.milliseconds(20))
        await #expect { try await late.count() } throws: { if case TroveError.deadlineExceeded = $0 { true } else { false } }
        #expect(try await store.fetch(Tune.self).where { $0.year > 0 }.count() == 400)
    }

    /// Money moves while sums are taken: each scan has to see one state.
    @Test(arguments: Engine.allCases) func commitsBesideAScan(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 31)
        let (fixture, _) = try fixture(engine, count: 0, &random)
        let store = fixture.store
        try store.save((0..<300).map { Named(id: "account \($0)", number: 100) })
        let progress = Progress()
        let ended = DispatchSemaphore(value: 0)
        Thread {
            defer { ended.signal() }
            var random = SeededGenerator(seed: 37)
            while !progress.isOver.load(ordering: .relaxed) {
                let (from, to) = (Int.random(in: 0..<300, using: &random), Int.random(in: 0..<300, using: &random))
                do {
                    try store.write { transaction in
                        guard from != to, var payer = try transaction.fetch(Named.self, id: "account \(from)"),
                            var payee = try transaction.fetch(Named.self, id: "account \(to)")
                        else { return }
                        payer.number -= 7
                        payee.number += 7
                        try transaction.save([payer, payee])
                    }
                    progress.commits.add(1, ordering: .relaxed)
                } catch {
                    Issue.record(error)
                    return
                }
            }
        }.start()
        // On a busy machine the scans may be over before the other thread has begun.
        var scans = 0
        while scans < 150 || (scans < 100_000 && progress.commits.load(ordering: .relaxed) == 0) {
            #expect(try store.fetch(Named.self).where { $0.number > -1_000_000 }.sum(\.number) == 30_000)
            #expect(try store.fetch(Named.self).all().reduce(0) { $0 + $1.number } == 30_000)
            scans += 1
        }
        progress.isOver.store(true, ordering: .relaxed)
        ended.wait()
        let commits = progress.commits.load(ordering: .relaxed)
        #expect(commits > 0)
    }

    private final class Progress: Sendable {
        let isOver = Atomic(false)
        let commits = Atomic(0)
    }

    /// Entries that several threads have made are those that the records ask for, and a unique index finds the same clash.
    @Test(arguments: Engine.allCases, [IndexSet.year, .artistYear, .tagsYear, .seconds, .unique, .all]) func indexesAreBuiltByAllThreads(_ engine: Engine, _ indexes: IndexSet) throws {
        var random = SeededGenerator(seed: 53)
        let (fixture, tracks) = try fixture(engine, count: 300, &random)
        try Tune.$declared.withValue(indexes.indexes) {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, scanThreads: 4, indexing: .onRequest, models: Tune.self, Named.self) }
        }
        let store = fixture.store
        store.shareScans()
        try store.buildIndexes()
        let report = try store.verify()
        #expect(report.isSound && report.indexDamage.isEmpty, "\(report)")
        for number in 0..<20 {
            let query = OracleQuery.random(&random, tracks)
            #expect(try query.fetch(store.fetch(Tune.self)).ids() == query.answer(tracks).map(\.id), "query \(number): \(query)")
        }
    }

    private static func build(_ store: ObjectStore) throws { try store.buildIndexes() }

    /// Building that nobody waits for any more ends on all threads, and goes on from where it was.
    @Test(arguments: Engine.allCases) func aCancelledBuildingEndsOnAllThreads(_ engine: Engine) async throws {
        var random = SeededGenerator(seed: 61)
        let (fixture, _) = try fixture(engine, count: 300, &random)
        try Tune.$declared.withValue(IndexSet.year.indexes) {
            try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, scanThreads: 4, indexing: .onRequest, models: Tune.self, Named.self) }
        }
        let store = fixture.store
        store.shareScans()
        let outcome = await Task.detached {
            withUnsafeCurrentTask { $0?.cancel() }
            try Self.build(store)
        }.result
        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(try !Self.isBuilt(store))
        try Self.build(store)
        #expect(try Self.isBuilt(store) && Self.isSound(store))
        withExtendedLifetime(fixture) {}
    }

    private static func isBuilt(_ store: ObjectStore) throws -> Bool { try store.indexStatistics().allSatisfy { $0.state == .ready } }

    private static func isSound(_ store: ObjectStore) throws -> Bool { try store.verify().isSound }

    @Model("Notebook") fileprivate struct Notebook {
        let id: Int
        @Attribute(.indexed) var words: [String]
    }

    @Model("Notebook") fileprivate struct PlainNotebook {
        let id: Int
        var words: [String]
    }

    /// However many threads make entries, a batch ends when they take as much memory as they may; also where later records have many more of them than the first ones.
    @Test(arguments: Engine.allCases, [1, 4]) func entriesOfManyThreadsKeepToTheirMemory(_ engine: Engine, threads: Int) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: PlainNotebook.self) }
        let notebooks = (0..<900).map { number in
            PlainNotebook(id: number, words: (0..<(number < 300 ? 1 : 40)).map { "word \($0) of \(number % 7)" })
        }
        try fixture.store.save(notebooks)
        try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, scanThreads: threads, indexing: .onRequest, models: Notebook.self) }
        let store = fixture.store
        store.core.scanThreads.pace.withLock { $0 = .init(alone: 7, betweenGifts: 3, batchMemory: 40_000) }
        var steps: [Int] = []
        try store.buildIndexes { steps.append($0.completed) }
        // 600 records with 40 entries of some 60 bytes; without the bound they are all made in one go.
        #expect(steps.count > 10, "\(steps)")
        #expect(steps.last == 900)
        let report = try store.verify()
        #expect(report.isSound, "\(report)")
        #expect(try store.fetch(Notebook.self).where { $0.words.contains("word 39 of 3") }.count() == notebooks.count { $0.words.contains("word 39 of 3") })
    }

    @Test(arguments: Engine.allCases) func aClashIsThatOfOneThread(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 59)
        let (fixture, _) = try fixture(engine, count: 300, &random)
        var clashes: Set<String> = []
        for threads in [1, 4, 4, 4] {
            try Tune.$declared.withValue([Index([.ascending(\.year), .ascending(\.rating)], unique: true, name: "clashing")]) {
                try fixture.reopenStore { try ObjectStore($0, durability: .relaxed, scanThreads: threads, indexing: .onRequest, models: Tune.self, Named.self) }
            }
            fixture.store.shareScans()
            do {
                try fixture.store.buildIndexes()
                Issue.record("300 tracks of 11 years have different years and ratings")
            } catch TroveError.uniqueViolation(let model, let index, let values, let id, let other) {
                clashes.insert("\(model) \(index) \(values) \(id) \(other)")
            }
        }
        #expect(clashes.count == 1, "\(clashes)")
    }

    /// A write sees its own changes, which no other reader has.
    @Test(arguments: Engine.allCases) func scansInsideAWrite(_ engine: Engine) throws {
        var random = SeededGenerator(seed: 41)
        let (fixture, tracks) = try fixture(engine, count: 200, &random)
        try fixture.store.write { transaction in
            #expect(try transaction.fetch(Tune.self).where { $0.year > 0 }.count() == 200)
            for track in tracks.prefix(50) { try transaction.delete(track) }
            #expect(try transaction.fetch(Tune.self).where { $0.year > 0 }.count() == 150)
            #expect(try transaction.fetch(Tune.self).all().map(\.id) == tracks.dropFirst(50).map(\.id))
        }
        #expect(try fixture.store.fetch(Tune.self).where { $0.year > 0 }.count() == 150)
    }

    /// Many scans at once share the threads that there are.
    @Test(arguments: Engine.allCases) func manyScansAtOnce(_ engine: Engine) async throws {
        var random = SeededGenerator(seed: 43)
        let (fixture, tracks) = try fixture(engine, count: 500, &random)
        let store = fixture.store
        let expected = tracks.filter { $0.year > 1_960 }.count
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<60 { group.addTask { try await store.fetch(Tune.self).where { $0.year > 1_960 }.count() } }
            for try await count in group { #expect(count == expected) }
        }
        #expect(store.core.scanThreads.take() == 3, "threads are given back")
        #expect(try store.core.backend.statistics().activeReaders == 0)
    }

    @Test func threadsAreBounded() {
        #expect(ScanThreads(limit: .min).limit == 1 && ScanThreads(limit: .max).limit == 4 * ProcessInfo.processInfo.activeProcessorCount)
    }

    @Test func middlesOfKeys() {
        var random = SeededGenerator(seed: 47)
        func key() -> [UInt8] { (0..<Int.random(in: 0...12, using: &random)).map { _ in [0, 1, 127, 254, 255].randomElement(using: &random) ?? 0 } }
        var found = 0
        for _ in 0..<20_000 {
            let keys = [key(), key()].sorted { $0.lexicographicallyPrecedes($1) }
            guard let middle = KeyRange.middle(keys[0], keys[1]) else { continue }
            found += 1
            #expect(keys[0].lexicographicallyPrecedes(middle) && middle.lexicographicallyPrecedes(keys[1]), "\(keys): \(middle)")
        }
        #expect(found > 10_000)
        #expect(KeyRange.middle([1, 2], [1, 2]) == nil)
        #expect(KeyRange.middle([1], [1, 0]) == nil)
    }
}

extension ObjectStore {
    /// Lets scans be shared after a few records, so that small stores show what large ones do.
    func shareScans() { core.scanThreads.pace.withLock { $0 = .init(alone: 7, betweenGifts: 3) } }
}
