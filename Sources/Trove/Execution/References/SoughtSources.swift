/// Objects of which a query asks what refers to them, while no index of the references can tell: they wait, and all records that may refer to one of them
/// are looked at once for all.
final class SoughtSources {
    let relationship: RelationshipBinding
    /// The objects by the parts that references to them have in an index.
    @exclusivity(unchecked) private var parts = NumberedKeys()
    /// For each object, the last of ``askers`` that asked for its sources.
    private var lastAskers: [Int] = []
    /// The numbers of the query's records that an object is a member of, each with the place of the one before of the same object; -1 for none.
    private var askers: [(record: Int, before: Int)] = []
    /// The last record of the model that was found to refer to an object, by the objects' numbers: it may refer to it several times.
    private var lastSources: [Int] = []

    /// How many wait, an object once for each record that asked for it.
    var count: Int { askers.count }

    init(_ relationship: RelationshipBinding) { self.relationship = relationship }

    /// Lets an object wait for a record; not one that the relationship cannot point at.
    func add(_ object: AnyReference, for record: Int) throws {
        guard let part = try relationship.references.bytes(of: object) else { return }
        let number = try part.withUnsafeBytes { try parts.number(of: $0) }
        if number == lastAskers.count {
            lastAskers.append(-1)
            lastSources.append(-1)
        }
        askers.append((record, lastAskers[number]))
        lastAskers[number] = askers.count - 1
    }

    /// Calls `body` for each record that waits.
    func forEachRecord(_ body: (Int) -> Void) {
        for asker in askers { body(asker.record) }
    }

    /// Calls `body` with each source of each object, by the source's key in the engine, and the record that asked for it; returns why a record of the model
    /// could not be read, which then ends it.
    ///
    /// - Parameters:
    ///   - keepsFailures: whether that is returned, and not thrown.
    ///   - isPausing: asked after each record of the model, whether to call `pause`, which may read outside of the engine's scan.
    func forEachSource(
        _ transaction: ReadTransaction, keepsFailures: Bool, _ watch: inout ReadWatch, isPausing: () -> Bool, pause: (inout ReadWatch) throws -> Void,
        _ body: (_ source: RawSpan, _ record: Int) throws -> Void
    ) throws -> TroveError? {
        guard count > 0, let keyspace = try transaction.reader.keyspace(named: relationship.model.schema.name) else { return nil }
        let model = OpenModel(relationship.model)
        var (range, place) = (KeyRange.all, 0)
        while true {
            var steps = watch
            var last: [UInt8]?
            var failure: TroveError?
            try transaction.reader.scan(range, in: keyspace, order: .ascending) { key, record in
                try steps.step()
                do {
                    try transaction.withRecordView(record, key: key, model) { try visit($0, key, place, body) }
                } catch let error as TroveError where keepsFailures {
                    failure = error
                    return .stop
                }
                place += 1
                guard isPausing() else { return .next }
                last = [UInt8](copying: key)
                return .stop
            }
            watch = steps
            guard failure == nil, let last else { return failure }
            range = .after(last)
            try pause(&watch)
        }
    }

    private func visit(_ view: RecordView, _ key: RawSpan, _ place: Int, _ body: (RawSpan, Int) throws -> Void) throws {
        try relationship.forEachPart(of: view) { part in
            guard let number = part.withUnsafeBytes({ parts.known($0) }), lastSources[number] != place else { return }
            lastSources[number] = place
            var asker = lastAskers[number]
            while asker >= 0 {
                try body(key, askers[asker].record)
                asker = askers[asker].before
            }
        }
    }
}
