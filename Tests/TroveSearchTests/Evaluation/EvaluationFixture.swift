import Foundation
import TestSupport

@testable import Trove

/// Objects of one model in a store in memory, and what evaluation says of them.
struct EvaluationFixture<Object: Model> {
    private let fixture: StoreFixture

    init(_ objects: [Object], on engine: Engine = .memory) throws {
        fixture = try StoreFixture(engine) { try ObjectStore($0, durability: .relaxed, models: Object.self) }
        try fixture.store.save(objects)
    }

    init(_ fixture: StoreFixture) { self.fixture = fixture }

    /// Calls `body` with a view of each record, in the order of the keys.
    func forEach(_ body: (RecordView, ModelBinding) throws -> Void) throws {
        try fixture.store.read { transaction in
            let model = try transaction.open(Object.self)
            try transaction.forEachRecordBytes(of: model) { key, record in
                try transaction.withRecordView(record, key: key, model) { try body($0, model.binding) }
                return .next
            }
        }
    }

    func binding<Result>(_ body: (ModelBinding) throws -> Result) throws -> Result {
        try fixture.store.read { try body($0.open(Object.self).binding) }
    }

    /// The ids of the objects that pass, in their order.
    func ids(_ filter: Filter) throws -> [Object.ID] {
        let compiled = try binding { try CompiledFilter(filter, in: $0) }
        var ids: [Object.ID] = []
        try forEach { view, _ in
            if try compiled.matches(view) { ids.append(try Object.ID(keyBytes: Array(view.wholeKey))) }
        }
        return ids
    }

    /// The ids in the order of the sort keys, ties by record key.
    func ids(by keys: [SortKey]) throws -> [Object.ID] {
        let encoder = try binding { try SortEncoder(keys, in: $0) }
        var rows: [(sort: [UInt8], id: Object.ID)] = []
        try forEach { view, _ in
            var bytes = ByteWriter()
            try encoder.append(view, to: &bytes)
            rows.append((bytes.bytes() + Array(view.key), try Object.ID(keyBytes: Array(view.wholeKey))))
        }
        return rows.sorted { $0.sort.lexicographicallyPrecedes($1.sort) }.map(\.id)
    }

    /// The error that a filter is refused with; nil when it is not.
    func refusal(_ filter: Filter) throws -> TroveError? {
        do {
            _ = try binding { try CompiledFilter(filter, in: $0) }
            return nil
        } catch let error as TroveError {
            return error
        }
    }
}

/// `path comparison literal`.
func condition(_ path: String, _ comparison: Comparison, _ literal: StoredValue, ignoringCase: Bool = false) -> Filter {
    .comparison(.path(FieldPath(path)), comparison, .value(literal), ignoringCase: ignoringCase)
}
