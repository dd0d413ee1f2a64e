/// What a deletion deletes and changes, found out before anything is written.
///
/// It grows in rounds: the records that are doomed are read in the order of their keys, what their rules spread to is looked at, and those
/// of it that nothing keeps are the next round. A record that is doomed stays so, and each is read once; so cycles end, and a chain of any length takes
/// a few bytes for each record and no stack.
final class DeletionPlan {
    /// What is known of a record.
    enum State: UInt8 {
        case met
        case doomed
        /// There is no such record.
        case missing
    }

    /// Why a record may have to be deleted.
    struct Reason: OptionSet {
        let rawValue: UInt8
        /// An owner of it is deleted, or does not have it any more.
        static let disowned = Reason(rawValue: 1)
        /// What is deleted, or does not have it any more, asks that it be deleted when nothing points at it.
        static let unreferenced = Reason(rawValue: 2)

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ rule: DeleteRule) {
            self = rule == .cascade ? .disowned : .unreferenced
        }
    }

    /// A reference that concerns the deletion, from a record to a doomed one, or the other way round.
    struct Mention: Equatable {
        let relationship: Int
        let source: RecordNumber
        let target: RecordNumber
    }

    let transaction: WriteTransaction
    let rules: RelationshipRules
    let records = RecordTable()
    /// Whether what points at a record lets go of it though there is no such record: others may have deleted what a context deletes, whose objects are about
    /// to be stored with references to it. It counts for all that is doomed, also for what a rule has met that dangled before. A link that denies stays.
    var letsGoOfMissing = false
    /// Records that no rule deletes.
    private var spared: Set<RecordNumber> = []
    /// What each record is deleted because of, where a journal wants to know.
    private var causes: [RecordNumber: RecordNumber] = [:]
    /// By model and number.
    @exclusivity(unchecked) private var states: [[State]] = []
    @exclusivity(unchecked) private var reasons: [[Reason]] = []
    /// The doomed records that have not been read, by model.
    private var unread: [[Int]] = []
    /// What may have to be deleted, by model.
    private var candidates: [[Int]] = []
    /// What would be deleted if nothing pointed at it, and was looked at.
    private var waiting: [RecordNumber] = []
    /// By the numbers of the relationships; nothing is written before the plan is complete.
    private var scans: [Int: SourceScan] = [:]
    /// References to be taken out of what stays.
    var removals: [Mention] = []
    /// References that deny the deletion if the record stays that they come from, or that they point at.
    var denials: [Mention] = []

    init(_ transaction: WriteTransaction, _ rules: RelationshipRules) {
        self.transaction = transaction
        self.rules = rules
    }

    // MARK: Records

    func state(_ record: RecordNumber) -> State {
        let states = states[Int(record.model)]
        return Int(record.key) < states.count ? states[Int(record.key)] : .met
    }

    func isDoomed(_ record: RecordNumber) -> Bool { state(record) == .doomed }

    /// The numbers of the doomed records of a model, in the order of their keys.
    func doomed(_ model: Int) -> [Int] {
        records.sorted(states[model].indices.filter { states[model][$0] == .doomed }, of: model)
    }

    func model(_ name: String) -> Int {
        let model = records.model(name)
        while states.count <= model {
            states.append([])
            reasons.append([])
            unread.append([])
            candidates.append([])
        }
        return model
    }

    /// The number of the record with this key of the engine.
    func record(_ model: Int, _ key: UnsafeRawBufferPointer) -> RecordNumber {
        let record = records.record(model, key)
        makeRoom(record)
        return record
    }

    func record(_ reference: AnyReference) -> RecordNumber {
        _ = model(reference.modelName)
        let record = records.record(reference)
        makeRoom(record)
        return record
    }

    private func makeRoom(_ record: RecordNumber) {
        let model = Int(record.model)
        while states[model].count <= Int(record.key) {
            states[model].append(.met)
            reasons[model].append([])
        }
    }

    /// Keeps a record from being deleted, whatever the rules say.
    func spare(_ reference: AnyReference) { spared.insert(record(reference)) }

    /// Notes that a rule goes from one record to another, which may be deleted for it.
    func noteCause(of record: RecordNumber, _ cause: RecordNumber) {
        guard transaction.journal != nil, state(record) == .met, causes[record] == nil else { return }
        causes[record] = cause
    }

    /// What a record is deleted because of; nil when it is deleted itself.
    func cause(of record: RecordNumber) -> AnyReference? { causes[record].map { records.reference($0) } }

    /// Lets a record be deleted, if there is one.
    func doom(_ record: RecordNumber) {
        guard state(record) == .met, !spared.contains(record) else { return }
        states[Int(record.model)][Int(record.key)] = .doomed
        unread[Int(record.model)].append(Int(record.key))
    }

    /// Takes back that a record is to be deleted: there is none.
    func noteMissing(_ record: RecordNumber) { states[Int(record.model)][Int(record.key)] = .missing }

    /// Lets a record be deleted if nothing keeps it.
    func consider(_ record: RecordNumber, _ reason: Reason) {
        guard state(record) == .met, !spared.contains(record) else { return }
        reasons[Int(record.model)][Int(record.key)].insert(reason)
        candidates[Int(record.model)].append(Int(record.key))
    }

    /// Finds what points at records through a relationship.
    func scan(_ relationship: Int) throws -> SourceScan {
        if let scan = scans[relationship] { return scan }
        let scan = try SourceScan(transaction, rules.relationships[relationship])
        scans[relationship] = scan
        return scan
    }

    // MARK: Growing

    /// Finds everything that has to be deleted.
    ///
    /// - Throws: ``TroveError/deletionDenied(model:id:blockers:)``.
    func complete() throws {
        repeat {
            while unread.contains(where: { !$0.isEmpty }) || candidates.contains(where: { !$0.isEmpty }) {
                for model in unread.indices where !unread[model].isEmpty {
                    let doomed = records.sorted(unread[model].take(), of: model)
                    try spread(from: doomed, model)
                }
                for model in candidates.indices where !candidates[model].isEmpty {
                    try judge(records.sorted(candidates[model].take(), of: model), model)
                }
            }
            // What pointed at them may be doomed by now.
        } while try judgeWaiting()
        try checkDenials()
    }

    /// Dooms the candidates that nothing keeps, which are in the order of their keys and may be there several times.
    private func judge(_ candidates: [Int], _ model: Int) throws {
        var once: [Int] = []
        for number in candidates where number != once.last && states[model][number] == .met { once.append(number) }
        let keepers = try keepers(of: once, model)
        for (number, keepers) in zip(once, keepers) {
            let record = RecordNumber(model: Int32(model), key: UInt32(number))
            if !reasons[model][number].isSubset(of: keepers) {
                doom(record)
            } else if reasons[model][number].contains(.unreferenced) {
                waiting.append(record)
            }
        }
    }

    /// Of each record the reasons for deleting it that do not hold, because of records that stay.
    private func keepers(of numbers: [Int], _ model: Int) throws -> [Reason] {
        var keepers = [Reason](repeating: [], count: numbers.count)
        guard !numbers.isEmpty else { return keepers }
        let asked = numbers.reduce(into: Reason()) { $0.formUnion(reasons[model][$1]) }
        for number in rules.model(records.modelNames[model]).incoming {
            let relationship = rules.relationships[number]
            let owns = relationship.schema.deleteRule.owns
            guard owns || asked.contains(.unreferenced) && number != rules.membership else { continue }
            let sourceModel = self.model(relationship.model.schema.name)
            var position = 0
            var places: [Int: Int] = [:]
            try scan(number).forEachSource(of: numbers, in: records, model) { target, source in
                // The numbers come in their order, some left out; or, without an index, in any. Mostly it is the next.
                if position + 1 < numbers.count, numbers[position + 1] == target { position += 1 }
                if numbers[position] != target {
                    if places.isEmpty { places = Dictionary(uniqueKeysWithValues: zip(numbers, numbers.indices)) }
                    guard let place = places[target] else { return .next }
                    position = place
                }
                // It does not keep itself.
                if let known = records.keys[sourceModel].number(of: source),
                    sourceModel == model && known == target || states[sourceModel][known] == .doomed { return .next }
                keepers[position].formUnion(owns ? [.disowned, .unreferenced] : .unreferenced)
                return .stop
            }
        }
        return keepers
    }

    /// Looks again at what something pointed at; returns whether some of it is doomed now.
    private func judgeWaiting() throws -> Bool {
        for record in waiting.take() where state(record) == .met { candidates[Int(record.model)].append(Int(record.key)) }
        for model in candidates.indices where !candidates[model].isEmpty {
            try judge(records.sorted(candidates[model].take(), of: model), model)
        }
        return unread.contains { !$0.isEmpty }
    }

    /// What stays though it is to be deleted once nothing points at it.
    var stillReferenced: [RecordNumber] { waiting.filter { state($0) == .met } }
}

extension Array {
    /// The elements, which are no longer in the array.
    fileprivate mutating func take() -> [Element] {
        let elements = self
        self = []
        return elements
    }
}
