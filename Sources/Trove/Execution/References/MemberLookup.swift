/// Finds an aggregate of other objects for each record by itself, as conditions need it, which decide about a record before the next one is read.
///
/// Objects that several records lead to are read once, while there is room.
///
/// Unchecked: it is used by the run of one query only, in one transaction, which belongs to one thread and outlives the run.
final class MemberLookup: FieldLookup, @unchecked Sendable {
    private let way: MemberWay
    private var watch: ReadWatch

    var rule: MemberRule { way.rule }

    /// - Throws: what is wrong with the path.
    init(_ transaction: ReadTransaction, _ path: FieldPath, _ binding: ModelBinding, _ watch: ReadWatch) throws {
        self.watch = watch
        way = try MemberWay(path, of: binding, ReferencedObjects(transaction))
    }

    func value(for record: RecordView) throws -> StoredValue {
        way.begin(1)
        try way.add(record, 0, &watch)
        try way.finish(&watch)
        return try way.result(of: 0)
    }
}
