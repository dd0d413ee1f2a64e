/// Values behind references that a query reads of its records: `album.title`, `album.artist.name`, `roles.piano.name`, `writers[0].name`.
///
/// What references lead to is read for a batch of records together, so that a query takes a few requests of the engine more than without, and not one
/// for each record. Where there is nothing at the end of a path, since a reference is nil or what it points at is not stored, the value is nil.
final class ReferencedValues {
    /// The way from a record to a value.
    private struct Way {
        let path: FieldPath
        /// Reads the record's own reference.
        let reference: FieldReader
        /// One for each reference: the model that it points at, and what is read there, the next reference or at last the value.
        let steps: [(model: Int, column: Int)]
    }

    let objects: ReferencedObjects
    private let model: OpenModel
    private let relationships: [RelationshipBinding]
    private var ways: [Way] = []
    /// The values of the record that is visited.
    private var current: UnsafePointer<UnsafeRawBufferPointer>?
    /// How many objects were read for these values, those not stored among them.
    private(set) var readCount = 0

    fileprivate init(_ objects: ReferencedObjects, _ model: OpenModel, _ relationships: [RelationshipBinding]) {
        self.objects = objects
        self.model = model
        self.relationships = relationships
    }

    /// Whether no value is behind a reference: each path that goes through one led to the id there, which is the reference.
    var isEmpty: Bool { ways.isEmpty }

    /// The paths of the values.
    var paths: [FieldPath] { ways.map(\.path) }

    /// A reader of the value at a path, of records as ``looking(_:)`` gives them.
    ///
    /// - Throws: what is wrong with the path; ``TroveError/unknownPath(model:path:reason:)`` also behind a reference to objects of any model.
    func reader(of path: FieldPath) throws -> FieldReader {
        guard let hop = relationships.hop(of: path) else { return try FieldReader(path, in: model.binding) }
        if let own = hop.ownPath { return try FieldReader(own, in: model.binding) }
        let reference = try FieldReader(hop.reference, in: model.binding)
        var steps: [(model: Int, column: Int)] = []
        var next: ReferenceHop? = hop
        var end = reference
        while let hop = next {
            let model = try objects.number(ofModel: hop.target(behind: steps.count), hop.relationship.references)
            let target = objects.models[model]
            next = try objects.transaction.relationships.table.relationships(of: target.name).hop(of: hop.rest)
            let own = next.map { $0.ownPath ?? $0.reference } ?? hop.rest
            if next?.ownPath != nil { next = nil }
            let column = try target.column(of: own)
            end = target.reader(ofColumn: column)
            steps.append((model, column))
        }
        ways.append(Way(path: path, reference: reference, steps: steps))
        return FieldReader(path, at: ways.count - 1, like: end)
    }

    /// The view of the record that is visited, with its values behind references.
    func looking(_ record: RecordView) -> RecordView {
        var view = record
        view.referenced = current
        return view
    }
}

extension ReferencedValues {
    /// Calls `body` with each of some records, in their order, when what their references lead to was read, until it returns ``ScanStep/stop``; returns its
    /// last answer.
    ///
    /// - Parameter keys: the engine's keys of the records.
    fileprivate func visit(_ keys: KeyList, _ records: KeyList, _ watch: inout ReadWatch, _ body: QueryRun.RecordBody) throws -> ScanStep {
        objects.makeRoom()
        let before = objects.readCount
        let found = try follow(keys, records, &watch)
        readCount += objects.readCount - before
        var values = [UnsafeRawBufferPointer](repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: ways.count)
        for record in 0..<keys.count {
            for (number, way) in ways.enumerated() {
                let object = found[record * ways.count + number]
                let end = way.steps[way.steps.count - 1]
                values[number] = object.map { objects.models[end.model].value(end.column, of: $0) } ?? UnsafeRawBufferPointer(start: nil, count: 0)
            }
            let step = try values.withUnsafeBufferPointer { values in
                current = values.baseAddress
                defer { current = nil }
                return try keys.withKey(at: record) { key in try records.withKey(at: record) { try body(key, $0) } }
            }
            if step == .stop { return .stop }
        }
        return .next
    }

    /// The number of the last object on each way of each record, all of which have been read; nil where a way ends before.
    private func follow(_ keys: KeyList, _ records: KeyList, _ watch: inout ReadWatch) throws -> [Int?] {
        var found: [Int?] = []
        found.reserveCapacity(keys.count * ways.count)
        var part = ByteWriter(capacity: 64)
        for record in 0..<keys.count {
            try keys.withKey(at: record) { key in
                try records.withKey(at: record) { bytes in
                    try objects.transaction.withRecordView(bytes, key: key, model) { view in
                        for way in ways {
                            part.count = 0
                            try way.reference.appendKeyPart(view, ignoringCase: false, direction: .ascending, to: &part)
                            found.append(try number(of: part, in: way.steps[0].model))
                        }
                    }
                }
            }
        }
        try objects.readMissing(&watch)
        for step in 1..<max(1, ways.reduce(0) { max($0, $1.steps.count) }) {
            for record in 0..<keys.count {
                for (number, way) in ways.enumerated() where step < way.steps.count {
                    let place = record * ways.count + number
                    guard let object = found[place] else { continue }
                    let (model, column) = way.steps[step - 1]
                    let (source, reference) = (objects.models[model], objects.models[model].value(column, of: object))
                    part.count = 0
                    try KeyPart.append(
                        reference.isEmpty ? .null : FieldValue(nested: reference), type: source.reader(ofColumn: column).type, ignoringCase: false,
                        direction: .ascending, to: &part)
                    found[place] = try self.number(of: part, in: way.steps[step].model)
                }
            }
            try objects.readMissing(&watch)
        }
        return found
    }

    private func number(of part: borrowing ByteWriter, in model: Int) throws -> Int? {
        try objects.models[model].number(ofPart: UnsafeRawBufferPointer(start: part.base, count: part.count))
    }
}

/// Records that wait until what their references lead to is read for all of them. Where nothing has to be read, they do not wait.
struct ReferencingBatch {
    private static let maxCount = 256
    private static let maxBytes = 1 << 20

    private let values: ReferencedValues?
    private var watch: ReadWatch
    private var keys = KeyList()
    private var records = KeyList()
    private var size = 0

    /// - Parameter values: what has to be read; nil when nothing has to be.
    init(_ values: ReferencedValues?, _ watch: ReadWatch) {
        self.values = values
        self.watch = watch
    }

    /// Adds a record, and hands all that wait to `body` when they are enough; returns its last answer.
    @inline(__always)
    mutating func add(_ key: RawSpan, _ record: RawSpan, _ body: QueryRun.RecordBody) throws -> ScanStep {
        values == nil ? try body(key, record) : try wait(key, record, body)
    }

    @inline(never)
    private mutating func wait(_ key: RawSpan, _ record: RawSpan, _ body: QueryRun.RecordBody) throws -> ScanStep {
        keys.append(key)
        records.append(record)
        size += record.byteCount
        return keys.count == Self.maxCount || size > Self.maxBytes ? try finish(body) : .next
    }

    /// Hands the records that wait to `body`, until it returns ``ScanStep/stop``.
    @discardableResult
    mutating func finish(_ body: QueryRun.RecordBody) throws -> ScanStep {
        guard let values, !keys.isEmpty else { return .next }
        defer {
            keys.removeAll()
            records.removeAll()
            size = 0
        }
        return try values.visit(keys, records, &watch, body)
    }
}

extension ReadTransaction {
    /// What reads values behind references; nil when none of the paths goes through one.
    ///
    /// - Parameter objects: what the query has read already; nil when there is nothing.
    func referencedValues(_ model: OpenModel, at paths: some Collection<FieldPath>, _ objects: ReferencedObjects? = nil) throws -> ReferencedValues? {
        guard paths.contains(where: { !$0.names.isEmpty }) else { return nil }
        let relationships = try relationships.table.relationships(of: model.binding.schema.name)
        guard !relationships.isEmpty, paths.contains(where: { relationships.hop(of: $0) != nil }) else { return nil }
        return ReferencedValues(objects ?? ReferencedObjects(self), model, relationships)
    }

    /// The encoder of a sort, and what of it is behind references; nil when nothing is.
    ///
    /// - Parameter objects: what the query has read already; nil when there is nothing.
    func encoder(of keys: [SortKey], _ model: OpenModel, _ objects: ReferencedObjects? = nil) throws -> (SortEncoder, ReferencedValues?) {
        if keys.isEmpty { return (.none, nil) }
        guard let values = try referencedValues(model, at: keys.lazy.map(\.path), objects) else { return (try SortEncoder(keys, in: model.binding), nil) }
        let encoder = try SortEncoder(keys, in: model.binding) { try values.reader(of: $0) }
        return (encoder, values.isEmpty ? nil : values)
    }

    /// Some paths in which that to the id behind a reference is that to the reference.
    func namingReferences(_ paths: [FieldPath], of model: ModelBinding) throws -> [FieldPath] {
        guard paths.contains(where: { !$0.names.isEmpty }) else { return paths }
        let relationships = try relationships.table.relationships(of: model.schema.name)
        return relationships.isEmpty ? paths : paths.map { relationships.hop(of: $0)?.ownPath ?? $0 }
    }

    /// The same in a sort, which an index of the references may give then.
    func nameReferences(in keys: inout [SortKey], of model: ModelBinding) throws {
        guard keys.contains(where: { !$0.path.names.isEmpty }) else { return }
        let paths = try namingReferences(keys.map(\.path), of: model)
        keys = zip(keys, paths).map { SortKey($1, $0.direction, ignoringCase: $0.ignoringCase) }
    }
}

extension QueryRun {
    /// Calls `body` with the key and record of each result, in order, while what is wanted of its values behind references is at hand, until it returns
    /// ``ScanStep/stop``.
    func forEachResult(_ body: RecordBody) throws {
        var batch = ReferencingBatch(selected, watch)
        try forEachRecord { try batch.add($0, $1, body) }
        try batch.finish(body)
    }
}

extension ReferencedValues {
    /// The step of a plan that reads what references lead to.
    func step(isRun: Bool) -> (summary: String, rows: Int?) {
        ("follow references: \(paths.map(\.description).joined(separator: ", "))", isRun ? readCount : nil)
    }
}
