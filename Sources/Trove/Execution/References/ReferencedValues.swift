/// Values behind references that a query reads of its records: `album.title`, `album.artist.name`, `roles.piano.name`, `writers[0].name`.
///
/// What references lead to is read for a batch of records together, so that a query takes a few requests of the engine more than without, and not one
/// for each record. Where there is nothing at the end of a path, since a reference is nil or what it points at is not stored, the value is nil.
final class ReferencedValues {
    /// The way from a record to a value.
    private struct Way {
        /// Reads the record's own reference.
        let reference: FieldReader
        /// One for each reference: the model that it points at, and what is read there, the next reference or at last the value.
        let steps: [(model: Int, column: Int)]
    }

    /// What a value is at the end of, by its number.
    private enum End {
        case way(Int)
        case members(Int)
    }

    let objects: ReferencedObjects
    private let model: OpenModel
    private let relationships: [RelationshipBinding]
    private let keepsFailures: Bool
    private var ways: [Way] = []
    private var memberWays: [MemberWay] = []
    /// The aggregates of the records of a batch, way after way, one nested value after the other; nothing for nil.
    private var aggregates = ByteWriter()
    /// Where each of them ends; it begins where the one before ends.
    private var aggregateEnds: [Int] = []
    /// Which of these each value is at the end of, in the order in which they were asked for.
    private var ends: [(path: FieldPath, end: End)] = []
    /// The values of the record that is visited.
    private var current: UnsafePointer<UnsafeRawBufferPointer>?
    /// Why values of the records of a batch could not be read, the first of each, where failures are kept.
    private var failures: [Int: any Error] = [:]
    /// Why a value of the record that is visited could not be read, where failures are kept; nil when all could.
    private(set) var failure: (any Error)?
    /// How many objects were read for these values, those not stored among them.
    private(set) var readCount = 0

    /// - Parameter keepsFailures: whether a record of which a value cannot be read is visited, with its ``failure``; otherwise that ends the query.
    init(_ objects: ReferencedObjects, _ model: OpenModel, _ relationships: [RelationshipBinding], keepsFailures: Bool = false) {
        if keepsFailures { objects.keepsFailures = true }
        self.keepsFailures = keepsFailures
        self.objects = objects
        self.model = model
        self.relationships = relationships
    }

    /// Whether no value is behind a reference: each path that goes through one led to the id there, which is the reference.
    var isEmpty: Bool { ends.isEmpty }

    /// The paths of the values.
    var paths: [FieldPath] { ends.map(\.path) }

    /// A reader of the value at a path, of records as ``looking(_:)`` gives them.
    ///
    /// - Throws: what is wrong with the path; ``TroveError/unknownPath(model:path:reason:)`` also behind a reference to objects of any model.
    func reader(of path: FieldPath) throws -> FieldReader {
        if let known = ends.firstIndex(where: { $0.path == path }) { return reader(ofValue: known) }
        if try objects.transaction.leadsThroughMembers(path, model.binding) {
            memberWays.append(try MemberWay(path, of: model.binding, objects))
            ends.append((path, .members(memberWays.count - 1)))
            return reader(ofValue: ends.count - 1)
        }
        guard let hop = relationships.hop(of: path) else { return try FieldReader(path, in: model.binding) }
        if let own = hop.ownPath { return try FieldReader(own, in: model.binding) }
        let reference = try FieldReader(hop.reference, in: model.binding)
        var steps: [(model: Int, column: Int)] = []
        var next: ReferenceHop? = hop
        while let hop = next {
            let model = try objects.number(ofModel: hop.target(behind: steps.count), hop.relationship.references)
            let target = objects.models[model]
            next = try objects.transaction.relationships.table.relationships(of: target.name).hop(of: hop.rest)
            let own = next.map { $0.ownPath ?? $0.reference } ?? hop.rest
            if next?.ownPath != nil { next = nil }
            let column = try target.column(of: own)
            steps.append((model, column))
        }
        ways.append(Way(reference: reference, steps: steps))
        ends.append((path, .way(ways.count - 1)))
        return reader(ofValue: ends.count - 1)
    }

    private func reader(ofValue place: Int) -> FieldReader {
        switch ends[place].end {
        case .members(let way): return FieldReader(memberWays[way].rule, .referenced(place))
        case .way(let way):
            let last = ways[way].steps[ways[way].steps.count - 1]
            return FieldReader(ends[place].path, at: place, like: objects.models[last.model].reader(ofColumn: last.column))
        }
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
    func visit(_ keys: KeyList, _ records: KeyList, _ watch: inout ReadWatch, _ body: QueryRun.RecordBody) throws -> ScanStep {
        objects.makeRoom()
        failures.removeAll(keepingCapacity: true)
        let before = objects.readCount
        // First, since they may forget objects to make room for others.
        try findAggregates(keys, records, &watch)
        let found = ways.isEmpty ? [] : try follow(keys, records, &watch)
        readCount += objects.readCount - before
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        var values = [UnsafeRawBufferPointer](repeating: nothing, count: ends.count)
        for record in 0..<keys.count {
            for (valuePlace, end) in ends.enumerated() {
                values[valuePlace] = nothing
                switch end.end {
                case .way(let number):
                    guard let object = found[record * ways.count + number] else { continue }
                    let steps = ways[number].steps
                    if let value = try value(steps[steps.count - 1], of: object, for: record) { values[valuePlace] = value }
                case .members(let number):
                    let place = number * keys.count + record
                    let start = place == 0 ? 0 : aggregateEnds[place - 1]
                    values[valuePlace] = UnsafeRawBufferPointer(start: aggregates.base + start, count: aggregateEnds[place] - start)
                }
            }
            failure = failures[record]
            let step = try values.withUnsafeBufferPointer { values in
                current = values.baseAddress
                defer { current = nil }
                return try keys.withKey(at: record) { key in try records.withKey(at: record) { try body(key, $0) } }
            }
            if step == .stop { return .stop }
        }
        return .next
    }

    /// Finds the aggregates of the members that the records lead to.
    private func findAggregates(_ keys: KeyList, _ records: KeyList, _ watch: inout ReadWatch) throws {
        aggregates.count = 0
        aggregateEnds.removeAll(keepingCapacity: true)
        for way in memberWays {
            way.begin(keys.count)
            for record in 0..<keys.count {
                try keys.withKey(at: record) { key in
                    try records.withKey(at: record) { bytes in
                        try objects.transaction.withRecordView(bytes, key: key, model) { try way.add($0, record, &watch) }
                    }
                }
            }
            try way.finish(&watch)
            for record in 0..<keys.count {
                do {
                    // The way keeps failures where its objects do, which a sort may share with a selection.
                    if let failure = way.failures[record] { throw failure }
                    let value = try way.result(of: record)
                    if value != .null { try value.encodeNested(into: &aggregates) }
                } catch let error where keepsFailures {
                    if failures[record] == nil { failures[record] = error }
                }
                aggregateEnds.append(aggregates.count)
            }
        }
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
                            try way.reference.appendKeyPart(view, ignoring: [], direction: .ascending, to: &part)
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
                    let last = way.steps[step - 1]
                    guard let reference = try value(last, of: object, for: record) else {
                        found[place] = nil
                        continue
                    }
                    let type = objects.models[last.model].reader(ofColumn: last.column).type
                    part.count = 0
                    try KeyPart.append(
                        reference.isEmpty ? .null : FieldValue(nested: reference), type: type, ignoring: [],
                        direction: .ascending, to: &part)
                    found[place] = try self.number(of: part, in: way.steps[step].model)
                }
            }
            try objects.readMissing(&watch)
        }
        return found
    }

    /// What a step reads of an object, for a record; nil when it cannot be read and the failure is kept.
    private func value(_ step: (model: Int, column: Int), of object: Int, for record: Int) throws -> UnsafeRawBufferPointer? {
        do {
            return try objects.models[step.model].value(step.column, of: object)
        } catch let error where keepsFailures {
            if failures[record] == nil { failures[record] = error }
            return nil
        }
    }

    private func number(of part: borrowing ByteWriter, in model: Int) throws -> Int? {
        try objects.models[model].number(ofPart: UnsafeRawBufferPointer(start: part.base, count: part.count))
    }
}

extension ReferencedValues {
    /// The step of a plan that reads what references lead to.
    func step(isRun: Bool) -> (summary: String, rows: Int?) {
        ("follow references: \(paths.map(\.description).joined(separator: ", "))", isRun ? readCount : nil)
    }
}
