/// The way from a record to many objects of which a query has an aggregate: `sum(songs.duration)`, `count($referencing.Song.album)`.
///
/// It goes from the record, or from each object that was met, to the next objects, which are read together in portions; what is kept of many members is
/// their aggregate alone.
final class MemberWay {
    /// How it goes on from an object.
    private enum Step {
        /// To what the references in a value point at. The type is that of one of them.
        case references(column: Int, FieldType)
        /// To the objects that refer to it, if it is stored: then it has the value.
        case sources(RelationshipBinding, column: Int)
        /// To its end, the members that the names lead to in a value.
        case value(column: Int, names: [[UInt8]])
    }

    /// How it begins at the record.
    private enum Start {
        case references(FieldReader, FieldType)
        case sources(RelationshipBinding)
    }

    /// How many objects wait until they are read together.
    private static let portion = 4_096
    /// How many wait until all records are looked at for what refers to them.
    private static let soughtPortion = 65_536

    let rule: MemberRule
    private let objects: ReferencedObjects
    private let modelName: String
    private var start: Start?
    /// From the objects of each model on the way.
    private var steps: [(model: Int, step: Step)] = []
    /// The parts of references to objects that wait, for each step, and the numbers of the records that they are members of.
    private var waiting: [(parts: KeyList, records: [Int])] = []
    /// The objects whose sources are the next on the way, by the step that these wait at, where no index tells them; nothing otherwise.
    private var sought: [Int: SoughtSources] = [:]
    private var totals: [MemberTotal] = []
    /// Whether there is a collection at all.
    private var isThere: [Bool] = []
    private var part = ByteWriter(capacity: 64)
    /// Why members of records could not be read, the first of each, where failures are kept.
    private(set) var failures: [Int: any Error] = [:]

    /// - Throws: what is wrong with the path.
    init(_ path: FieldPath, of binding: ModelBinding, _ objects: ReferencedObjects) throws {
        self.objects = objects
        modelName = binding.schema.name
        let table = try objects.transaction.relationships.table
        var (here, rest, hops) = (binding, path, 0)
        var steps: [(model: Int, step: Step)] = []
        var start: Start?
        // The reference whose ids the members are.
        var ids: FieldPath?
        func column(_ step: Int, _ path: FieldPath) throws -> Int { try objects.models[steps[step].model].column(of: path) }
        func add(_ relationship: RelationshipBinding, at reference: FieldPath) throws {
            let type = RelationshipBinding.referenceType(relationship.target)
            guard let last = steps.indices.last else { return start = .references(try FieldReader(reference, in: binding), type) }
            steps[last].step = .references(column: try column(last, reference), type)
        }
        func enter(_ model: String, _ references: ReferencePart) throws {
            hops += 1
            guard hops <= ReferenceHop.maxHops else { throw TroveError.invalidQuery(reason: "a path has more than \(ReferenceHop.maxHops) references") }
            // What it leads to is found out next.
            steps.append((try objects.number(ofModel: model, references), .value(column: 0, names: [])))
            here = objects.models[steps[steps.count - 1].model].binding
        }
        while true {
            if let hop = try table.memberHop(of: rest, in: here) {
                switch hop.direction {
                case .targets(let relationship):
                    try add(relationship, at: FieldPath(field: relationship.name))
                    try enter(hop.model(rest), relationship.references)
                case .sources(let relationship):
                    if let last = steps.indices.last {
                        steps[last].step = .sources(relationship, column: try column(last, here.idPath))
                    } else {
                        start = .sources(relationship)
                    }
                    if hop.rest != nil { try enter(hop.model(rest), ReferencePart(relationship.model)) }
                }
                guard let next = hop.rest else { break }
                rest = next
            } else if let hop = table.relationships(of: here.schema.name).hop(of: rest) {
                if hop.isOfID, !steps.isEmpty {
                    ids = hop.reference
                    break
                }
                try add(hop.relationship, at: hop.reference)
                try enter(hop.target(behind: hops), hop.relationship.references)
                rest = hop.rest
            } else {
                break
            }
        }
        self.start = start
        guard !rest.isCount || rest.sources == nil, let last = steps.indices.last else {
            rule = try MemberRule(path, .count, of: nil, in: binding)
            self.steps = steps
            waiting = steps.map { _ in (KeyList(), []) }
            return
        }
        if rest.isCount { throw binding.unknownPath(path, "count is of one collection; for the members of many, add up the numbers that the objects keep") }
        if let ids { rest = ids }
        if ids == nil, rest.unaggregated.names.isEmpty, table.relationships(of: here.schema.name).contains(where: { $0.name == rest.field }) {
            throw binding.unknownPath(path, "'\(rest.field)' has references; name a property of the objects, as in \(path.appending("…"))")
        }
        let end = try column(last, FieldPath(field: rest.field))
        let type = objects.models[steps[last].model].reader(ofColumn: end).type
        let memberType = try here.memberType(of: rest, in: type, isMember: true)
        rule = try MemberRule(path, path.aggregate ?? .count, of: memberType, in: binding)
        steps[last].step = .value(column: end, names: rest.names.map { Array($0.utf8) })
        self.steps = steps
        waiting = steps.map { _ in (KeyList(), []) }
    }

    /// Forgets the records before, and makes room for some.
    func begin(_ count: Int) {
        totals = Array(repeating: MemberTotal(rule), count: count)
        isThere = Array(repeating: false, count: count)
        failures.removeAll(keepingCapacity: true)
        for step in waiting.indices { waiting[step] = (KeyList(), []) }
        if !sought.isEmpty { sought.removeAll() }
    }

    /// Goes from a record with this number, among those that were begun with.
    func add(_ record: RecordView, _ number: Int, _ watch: inout ReadWatch) throws {
        switch start {
        case nil: return
        case .references(let reader, let type)?:
            try reader.access.withValue(in: record) { try follow($0, type, number, to: 0, &watch) }
        case .sources(let relationship)?:
            let object = try AnyReference(modelName: modelName, keyBytes: [UInt8](record.wholeKey))
            try addSources(of: object, relationship, number, to: 0, &watch)
        }
        try readWhereManyWait(&watch)
    }

    /// Reads what still waits.
    func finish(_ watch: inout ReadWatch) throws {
        for step in steps.indices {
            try findSources(to: step, &watch)
            try read(step, &watch)
        }
        try findSources(to: steps.count, &watch)
    }

    /// The aggregate of a record; nil when there is no collection.
    func result(of record: Int) throws -> StoredValue { isThere[record] ? try totals[record].result : .null }
}

extension MemberWay {
    /// Lets the objects wait that the references in a value point at.
    private func follow(_ value: FieldValue, _ type: FieldType, _ record: Int, to step: Int, _ watch: inout ReadWatch) throws {
        func add(_ reference: FieldValue) throws {
            try watch.step()
            part.count = 0
            try KeyPart.append(reference, type: type, ignoring: [], direction: .ascending, to: &part)
            wait(record, at: step)
        }
        guard case .container = value else { return try add(value) }
        isThere[record] = true
        try value.forEachMember(at: [], add)
    }

    /// Lets the objects wait that refer to one; where these are the way's end, they are counted.
    private func addSources(of object: AnyReference, _ relationship: RelationshipBinding, _ record: Int, to step: Int, _ watch: inout ReadWatch) throws {
        isThere[record] = true
        let transaction = objects.transaction
        // What is noted of an index may take it from the queries.
        try transaction.flushIndexes()
        guard try transaction.reverseIndex(of: relationship) != nil else {
            let sources = sought[step] ?? SoughtSources(relationship)
            sought[step] = sources
            return try sources.add(object, for: record)
        }
        let references = ReferencePart(relationship.model)
        var steps = watch
        try transaction.forEachSource(of: object, in: relationship) { key, _ in
            try steps.step()
            try addSource(key, relationship, references, record, to: step)
        }
        watch = steps
    }

    /// Lets an object wait that refers to one, by its key in the engine, or counts it.
    private func addSource(_ key: RawSpan, _ relationship: RelationshipBinding, _ references: ReferencePart, _ record: Int, to step: Int) throws {
        if step == steps.count { return totals[record].addOne() }
        part.count = 0
        try objects.transaction.wholeKey(key, of: relationship.model).withUnsafeBytes { try references.append(key: $0, to: &part) }
        wait(record, at: step)
    }

    /// Looks at all records for what refers to the objects that wait for it, once for all of these.
    private func findSources(to step: Int, _ watch: inout ReadWatch) throws {
        guard let sources = sought.removeValue(forKey: step) else { return }
        let relationship = sources.relationship
        let references = ReferencePart(relationship.model)
        let failure = try sources.forEachSource(objects.transaction, keepsFailures: objects.keepsFailures, &watch) {
            step < steps.count && waiting[step].records.count >= Self.portion
        } pause: {
            try read(step, &$0)
        } _: {
            try addSource($0, relationship, references, $1, to: step)
        }
        // It may be a source of any of them.
        if let failure { sources.forEachRecord { if failures[$0] == nil { failures[$0] = failure } } }
    }

    /// Lets the object wait that the part at hand belongs to; not where it is that of nil.
    private func wait(_ record: Int, at step: Int) {
        let bytes = UnsafeRawBufferPointer(start: part.base, count: part.count)
        guard bytes.first == KeyPart.present else { return }
        waiting[step].parts.append(bytes.bytes)
        waiting[step].records.append(record)
    }

    private func readWhereManyWait(behind step: Int = -1, _ watch: inout ReadWatch) throws {
        if !sought.isEmpty {
            for next in (step + 1)...steps.count where sought[next]?.count ?? 0 >= Self.soughtPortion { try findSources(to: next, &watch) }
        }
        for step in (step + 1)..<max(step + 1, steps.count) where waiting[step].records.count >= Self.portion { try read(step, &watch) }
    }

    /// Reads the objects that wait at a step, and goes on from them.
    private func read(_ step: Int, _ watch: inout ReadWatch) throws {
        let (parts, records) = waiting[step]
        waiting[step] = (KeyList(), [])
        let model = objects.models[steps[step].model]
        var (start, size) = (0, Self.portion)
        while start < records.count {
            objects.makeRoom()
            let portion = start..<min(start + size, records.count)
            let numbers = try portion.map { place in try parts.withKey(at: place) { try $0.withUnsafeBytes { try model.number(ofPart: $0) } } }
            try objects.readMissing(&watch)
            let timesForgotten = model.timesForgotten
            start = portion.upperBound
            size = min(size * 2, Self.portion)
            for (place, number) in zip(portion, numbers) {
                try watch.step()
                guard let number else { continue }
                try take(model, number, steps[step].step, (parts, place), records[place], to: step + 1, &watch)
                // Each may lead to many. It may forget the objects of this portion, of which the next has no more than were gone through.
                try readWhereManyWait(behind: step, &watch)
                guard model.timesForgotten == timesForgotten else {
                    (start, size) = (place + 1, place + 1 - portion.lowerBound)
                    break
                }
            }
        }
    }

    /// Goes on from an object that was read.
    private func take(
        _ model: ReferencedModel, _ number: Int, _ step: Step, _ reference: (parts: KeyList, place: Int), _ record: Int, to next: Int,
        _ watch: inout ReadWatch
    ) throws {
        do {
            switch step {
            case .sources(let relationship, let column):
                guard try !model.value(column, of: number).isEmpty,
                    let key = try reference.parts.withKey(at: reference.place, { try $0.withUnsafeBytes { try model.references.key(of: $0) } })
                else { return }
                try addSources(of: AnyReference(modelName: model.name, keyBytes: key), relationship, record, to: next, &watch)
            case .references(let column, let type):
                let bytes = try model.value(column, of: number)
                if !bytes.isEmpty { try follow(FieldValue(nested: bytes), type, record, to: next, &watch) }
            case .value(let column, let names):
                let bytes = try model.value(column, of: number)
                if !bytes.isEmpty { try FieldValue(nested: bytes).forEachMember(at: names[...], isMember: true) { try totals[record].add($0) } }
            }
        } catch let error as TroveError where objects.keepsFailures {
            if failures[record] == nil { failures[record] = error }
        }
    }
}
