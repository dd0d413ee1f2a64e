import Foundation
import Synchronization
import TestSupport
import Testing
import TroveBackendKit
import TroveStorage

@testable import Trove

/// A deadline counts from the beginning of a call, however many reads the call consists of.
@Suite struct DeadlineTests {
    @Model struct Halt {
        var id: Int
        var name: String
        var position: GeoPoint
    }

    private func fixture(_ engine: Engine, _ pause: Pause) throws -> StoreFixture {
        let fixture = try StoreFixture(engine) { try ObjectStore(PausingBackend($0, pause), durability: .relaxed, models: Halt.self) }
        try fixture.store.save(
            (0..<200).map { Halt(id: $0, name: "name \($0)", position: try #require(GeoPoint(latitude: Double($0) / 10, longitude: 5))) })
        return fixture
    }

    /// The deadline ends `body`, after so many pauses at the least.
    private func expectEnd(_ name: String, after count: Int, _ pause: Pause, _ body: () throws -> Void) {
        let before = pause.count.load(ordering: .relaxed)
        #expect("\(name)") { try body() } throws: { error in
            if case TroveError.deadlineExceeded = error { true } else { false }
        }
        #expect(pause.count.load(ordering: .relaxed) - before >= count, "\(name)")
    }

    /// Each read ends in time, and all together do not.
    @Test(arguments: Engine.allCases) func ofSeveralReads(engine: Engine) throws {
        let pause = Pause()
        let fixture = try fixture(engine, pause)
        let fetch = fixture.store.fetch(Halt.self)
        let center = try #require(GeoPoint(latitude: 3.04, longitude: 5))
        pause.milliseconds.store(200, ordering: .relaxed)
        expectEnd("nearest", after: 2, pause) { _ = try fetch.deadline(.milliseconds(390)).nearest(5, to: center, by: \.position) }
        expectEnd("last", after: 1, pause) { _ = try fetch.where { $0.id < 50 && $0.name != "x" }.limit(10).deadline(.milliseconds(100)).last() }
        #expect { try fetch.deadline(.milliseconds(100)).all() } throws: { "\($0)".hasPrefix("the query of Halt took longer than") }
        expectEnd("having", after: 2, pause) {
            var isFirst = true
            _ = try fetch.deadline(.milliseconds(390)).grouped(by: \.name).aggregate(.count) { _ in
                if isFirst { pause.take() }
                isFirst = false
                return true
            }
        }
        pause.milliseconds.store(0, ordering: .relaxed)
        let patient = fetch.deadline(.seconds(600))
        #expect(try patient.nearest(2, to: center, by: \.position).map(\.object.id) == [30, 31])
        #expect(try patient.limit(10).last()?.id == 9)
        #expect(try patient.grouped(by: \.name).aggregate(.count) { $0.key.hasSuffix("7") }.count == 20)
    }

    /// Members in members of one record take as long as many records.
    @Test(arguments: Engine.allCases) func inOneRecord(engine: Engine) throws {
        let fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: []) }
        let notes = fixture.store.documents("notes")
        try notes.setIndexing(.only("title"))
        try notes.save([Document(.object(["a": .array((0..<300).map { .int($0) })]))])
        let fetch = notes.fetch("any a (any object.a (any object.a (element < 0)))")
        #expect { try fetch.deadline(.milliseconds(20)).count() } throws: { error in
            if case TroveError.deadlineExceeded = error { true } else { false }
        }
    }

    /// The looks of a condition are counted over all members, records and levels.
    @Test(arguments: [0, 1, 2]) func insideOfConditions(_ kind: Int) throws {
        let fixture = try EvaluationFixture((0..<(kind == 0 ? 1 : 60)).map { Numbered(id: $0, numbers: Array(0..<200)) })
        let negative = Filter.comparison(.path(.element), .less, .value(.int(0)))
        let any = Filter.quantified(.any, "numbers", .elements, negative)
        let lists = (0..<30).map { list in StoredValue.array((0..<200).map { .int($0 == 199 ? 200 + list : $0) }) }
        let filter = [Filter.quantified(.any, "numbers", .elements, any), any, .membership(.path("numbers"), lists)][kind]
        #expect(try fixture.ids(filter).isEmpty)
        let late = ReadWatch(limit: .init(instant: .now) { .invalidQuery(reason: "it is late") })
        let compiled = try fixture.binding { try CompiledFilter(filter, in: $0, late) }
        #expect {
            try fixture.forEach { view, _ in _ = try compiled.matches(view) }
        } throws: { error in
            if case TroveError.invalidQuery(reason: "it is late") = error { true } else { false }
        }
    }

    /// Elements of sets and entries of dictionaries are compared each with each where they stand in another order.
    @Test func whereCollectionsAreCompared() throws {
        let texts = (0..<200).map { "a\($0)" }
        let fixture = try EvaluationFixture(
            (0..<60).map { id in Labelled(id: id, labels: Set(texts), counts: Dictionary(uniqueKeysWithValues: texts.indices.map { ($0, 1) })) })
        let others = StoredValue.array((texts.dropLast() + ["b"]).map { .string($0.uppercased()) })
        // They differ at their end.
        let counts = StoredValue.dictionary(Dictionary(uniqueKeysWithValues: texts.indices.map { (.int(Int64($0)), .int($0 == 199 ? 2 : 1)) }))
        let filters: [Filter] = [
            .comparison(.path("labels"), .equal, .value(others), ignoring: [.case]), .comparison(.path("counts"), .equal, .value(counts)),
        ]
        let late = ReadWatch(limit: .init(instant: .now) { .invalidQuery(reason: "it is late") })
        for filter in filters {
            #expect(try fixture.ids(filter).isEmpty)
            let compiled = try fixture.binding { try CompiledFilter(filter, in: $0, late) }
            #expect {
                try fixture.forEach { view, _ in _ = try compiled.matches(view) }
            } throws: { error in
                if case TroveError.invalidQuery(reason: "it is late") = error { true } else { false }
            }
        }
    }

    @Model struct Labelled {
        var id: Int
        var labels: Set<String>
        var counts: [Int: Int]
    }

    @Model struct Numbered {
        var id: Int
        var numbers: [Int]
    }
}

/// How long each scan waits.
private final class Pause: Sendable {
    let milliseconds = Atomic(0)
    /// How many have been taken.
    let count = Atomic(0)

    func take() {
        let milliseconds = milliseconds.load(ordering: .relaxed)
        if milliseconds == 0 { return }
        count.add(1, ordering: .relaxed)
        Thread.sleep(forTimeInterval: Double(milliseconds) / 1_000)
    }
}

private final class PausingBackend: ForwardingBackend {
    let wrappedBackend: any StorageBackend
    private let pause: Pause

    init(_ backend: any StorageBackend, _ pause: Pause) { (wrappedBackend, self.pause) = (backend, pause) }

    func read(_ body: (any StorageReader) throws -> Void) throws {
        try wrappedBackend.read { try body(PausingReader($0, pause)) }
    }
}

private final class PausingReader: ForwardingReader {
    let wrappedReader: any StorageReader
    private let pause: Pause

    init(_ reader: any StorageReader, _ pause: Pause) { (wrappedReader, self.pause) = (reader, pause) }

    func scan(
        _ range: KeyRange, in keyspace: Keyspace, order: ScanOrder, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        pause.take()
        try wrappedReader.scan(range, in: keyspace, order: order, body)
    }
}
