/// The objects that references lead to in one run of a query, as far as they have been read: of each the values that the query asks for.
///
/// Each is read once, whatever number of records refers to it, as long as there is room for what was read.
final class ReferencedObjects {
    let transaction: ReadTransaction
    /// Those of each model.
    private(set) var models: [ReferencedModel] = []
    /// Whether a value that cannot be read, as a damaged lazy one, fails where it is asked for, and not where the object is read.
    var keepsFailures = false

    init(_ transaction: ReadTransaction) {
        self.transaction = transaction
    }

    /// The number of a model among ``models``, which is opened when it is a new one.
    func number(ofModel name: String, _ references: ReferencePart) throws -> Int {
        if let known = models.firstIndex(where: { $0.name.hasBytes(of: name) }) { return known }
        models.append(ReferencedModel(try transaction.openStored(named: name), references))
        return models.count - 1
    }

    /// Reads all objects that were asked for and are not there yet, in as few requests of the engine as there are models, and a few more where they are many.
    func readMissing(_ watch: inout ReadWatch) throws {
        for model in models { try model.readMissing(transaction, keepingFailures: keepsFailures, &watch) }
    }

    /// Makes room for more. Numbers of objects are not those of the same objects any more.
    func makeRoom() {
        for model in models { model.makeRoom() }
    }

    /// How many objects were read.
    var readCount: Int { models.reduce(0) { $0 + $1.readCount } }
}

/// The objects of one model that references lead to, numbered in the order in which they were asked for.
final class ReferencedModel {
    /// How many objects one request of the engine is for.
    private static let requestSize = 256
    /// How many bytes of values and keys are kept for later records.
    private static let budget = 16 << 20

    private let model: OpenModel
    let references: ReferencePart
    private var readers: [FieldReader] = []
    // Used by the thread of their transaction alone, and nothing of a caller runs while one of these is changed.
    /// The objects by the parts that references to them have in an index.
    @exclusivity(unchecked) private var numbers = NumberedKeys()
    /// The values of the objects that were read, one nested value after the other; nothing for nil, and of an object that is not stored.
    @exclusivity(unchecked) private var values = ByteWriter()
    /// Where each value ends; it begins where the one before ends.
    @exclusivity(unchecked) private var ends: [Int] = []
    /// Why values could not be read, by their places among ``ends``.
    @exclusivity(unchecked) private var failures: [Int: TroveError] = [:]
    /// How many objects have their values here.
    @exclusivity(unchecked) private var known = 0
    /// How many objects were read so far.
    private(set) var readCount = 0
    /// How often the numbers of objects became those of others.
    private(set) var timesForgotten = 0

    var binding: ModelBinding { model.binding }

    var name: String { model.binding.schema.name }

    init(_ model: OpenModel, _ references: ReferencePart) {
        self.model = model
        self.references = references
    }

    /// The number of the value at a path, which is read of each object from now on.
    ///
    /// - Throws: what is wrong with the path.
    func column(of path: FieldPath) throws -> Int {
        if let known = readers.firstIndex(where: { $0.path == path }) { return known }
        readers.append(try FieldReader(path, in: model.binding))
        forget()
        return readers.count - 1
    }

    func reader(ofColumn column: Int) -> FieldReader { readers[column] }

    /// The number of the object that a reference with this part points at; nil for the part of nil. It is asked for when it is a new one.
    func number(ofPart part: UnsafeRawBufferPointer) throws -> Int? {
        part.first == KeyPart.present ? try numbers.number(of: part) : nil
    }

    /// A value of an object that was read, in the nested encoding, valid until more is read; empty for nil.
    ///
    /// - Throws: why it could not be read, where failures are kept.
    func value(_ column: Int, of object: Int) throws -> UnsafeRawBufferPointer {
        let place = object * readers.count + column
        if !failures.isEmpty, let failure = failures[place] { throw failure }
        let start = place == 0 ? 0 : ends[place - 1]
        return UnsafeRawBufferPointer(start: values.base + start, count: ends[place] - start)
    }

    func makeRoom() {
        if values.count + numbers.byteCount > Self.budget { forget() }
    }

    private func forget() {
        timesForgotten += 1
        numbers = NumberedKeys()
        values.count = 0
        ends.removeAll(keepingCapacity: true)
        failures.removeAll()
        known = 0
    }

    /// - Parameter keepingFailures: see ``ReferencedObjects/keepsFailures``.
    func readMissing(_ transaction: ReadTransaction, keepingFailures: Bool, _ watch: inout ReadWatch) throws {
        while known < numbers.count {
            try watch.look()
            forgetUnfinished()
            var keys = RecordKeys()
            for object in known..<min(numbers.count, known + Self.requestSize) {
                keys.append(try numbers.withKey(of: object) { try references.key(of: $0) } ?? [])
            }
            if let keyspace = model.keyspace {
                try transaction.reader.getMany(keys.keys, in: keyspace) { position, record in
                    try watch.step()
                    let end = ends.count + readers.count
                    guard let record else {
                        appendNothing(until: end)
                        return .next
                    }
                    let long = keys.shortened(at: position)?.long
                    while ends.count < end {
                        do {
                            try keys.keys.withKey(at: position) { key in
                                try transaction.withRecordView(record, key: key, model) { try append($0, matching: long, until: end) }
                            }
                        } catch let error as TroveError where keepingFailures {
                            // The values behind it may be sound.
                            failures[ends.count] = error
                            values.count = ends.last ?? 0
                            ends.append(values.count)
                        }
                    }
                    return .next
                }
            } else {
                appendNothing(until: ends.count + keys.keys.count * readers.count)
            }
            known += keys.keys.count
            readCount += keys.keys.count
        }
    }

    /// Forgets the values of a request that ended before its last object.
    private func forgetUnfinished() {
        let whole = known * readers.count
        guard ends.count > whole else { return }
        ends.removeLast(ends.count - whole)
        values.count = ends.last ?? 0
        failures = failures.filter { $0.key < whole }
    }

    /// Appends the values of an object that are not there yet.
    private func append(_ record: RecordView, matching long: [UInt8]?, until end: Int) throws {
        // A shortened key may be another id's.
        if let long, try !record.wholeKey.elementsEqual(long) { return appendNothing(until: end) }
        for reader in readers[(readers.count - (end - ends.count))...] {
            switch try reader.value(record) {
            case .null: break
            case let value: try value.encodeNested(into: &values)
            }
            ends.append(values.count)
        }
    }

    private func appendNothing(until end: Int) {
        while ends.count < end { ends.append(values.count) }
    }
}
