/// Keys, each once and numbered in the order in which they came: one buffer and one hash table, not an array each.
///
/// Its properties are accessed without Swift's checks of exclusivity: nothing that it calls while it changes them calls it.
final class KeyTable {
    @exclusivity(unchecked) private(set) var keys = KeyList()
    /// Open addressing with steps of one; a slot has a key's number and one, or 0. Never more than half full.
    @exclusivity(unchecked) private var slots: [UInt32] = []

    var count: Int { keys.count }

    /// A copy of a key.
    subscript(number: Int) -> [UInt8] { keys[number] }

    /// The number of a key, which is put in when it is new.
    func number(adding key: UnsafeRawBufferPointer) -> (number: Int, isNew: Bool) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = slot(of: key)
        if slots[slot] != 0 { return (Int(slots[slot]) - 1, false) }
        slots[slot] = UInt32(count + 1)
        keys.append(key)
        return (count - 1, true)
    }

    /// The number of a key; nil when it is not here.
    func number(of key: UnsafeRawBufferPointer) -> Int? {
        if slots.isEmpty { return nil }
        let number = slots[slot(of: key)]
        return number == 0 ? nil : Int(number) - 1
    }

    /// Calls `body` with a key, whose bytes are valid during the call.
    @inline(__always)
    func withKey<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try keys.buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[keys.range(number)])) }
    }

    /// Whether one key is below another.
    func precedes(_ left: Int, _ right: Int) -> Bool {
        keys.buffer.withUnsafeBytes { buffer in
            KeyList.compare(
                UnsafeRawBufferPointer(rebasing: buffer[keys.range(left)]), UnsafeRawBufferPointer(rebasing: buffer[keys.range(right)])) < 0
        }
    }

    /// The numbers in the order of their keys.
    func sorted(_ numbers: [Int]) -> [Int] {
        // Often they are in order: they were read in order.
        if !zip(numbers, numbers.dropFirst()).contains(where: { precedes($1, $0) }) { return numbers }
        guard let width = keys.commonWidth, width <= 16 else { return numbers.sorted { precedes($0, $1) } }
        // Short keys, such as object ids, are compared as numbers.
        var words = numbers.map { number in withKey(number) { KeyWord($0, number: number) } }
        words.sortByWord()
        return words.map(\.number)
    }

    func removeAll() {
        if count == 0 { return }
        keys.removeAll()
        // A table that was large once is not cleared for each small use after it.
        if slots.count > 1_024 { slots = [] } else { for slot in slots.indices { slots[slot] = 0 } }
    }

    private func slot(of key: UnsafeRawBufferPointer) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Checksum.hash(key)) & mask
        keys.buffer.withUnsafeBytes { buffer in
            while slots[slot] != 0 {
                let range = keys.range(Int(slots[slot]) - 1)
                if range.count == key.count, ByteOrder.areEqual(UnsafeRawBufferPointer(rebasing: buffer[range]), key) { return }
                slot = (slot + 1) & mask
            }
        }
        return slot
    }

    private func grow() {
        slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
        let mask = slots.count - 1
        for number in 0..<count {
            // The keys differ: a free slot will do.
            var slot = withKey(number) { Int(truncatingIfNeeded: Checksum.hash($0)) & mask }
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number + 1)
        }
    }
}

/// A record of any model, by the numbers that a ``RecordTable`` gave its model and its key.
struct RecordNumber: Hashable {
    let model: Int32
    let key: UInt32
}

/// Records of any models, stored or only pointed at, each with a number.
final class RecordTable {
    @exclusivity(unchecked) private(set) var modelNames: [String] = []
    /// The engine's keys of a model's records.
    @exclusivity(unchecked) private(set) var keys: [KeyTable] = []
    /// The model that was asked for last: mostly it is the next, too.
    @exclusivity(unchecked) private var lastModel = 0
    /// The whole keys of which the engine has a shortened form.
    @exclusivity(unchecked) private var longKeys: [RecordNumber: [UInt8]] = [:]

    /// The number of a model.
    func model(_ name: String) -> Int {
        if lastModel < modelNames.count, modelNames[lastModel].hasBytes(of: name) { return lastModel }
        if let number = modelNames.firstIndex(where: { $0.hasBytes(of: name) }) {
            lastModel = number
            return number
        }
        modelNames.append(name)
        keys.append(KeyTable())
        return modelNames.count - 1
    }

    /// The number of the record with this key of the engine.
    func record(_ model: Int, _ key: UnsafeRawBufferPointer) -> RecordNumber {
        RecordNumber(model: Int32(model), key: UInt32(keys[model].number(adding: key).number))
    }

    /// The number of a record in the engine's memory.
    func record(_ model: Int, _ view: RecordView) throws -> RecordNumber {
        let record = record(model, view.key)
        if view.hasLongKey { longKeys[record] = [UInt8](try view.wholeKey) }
        return record
    }

    /// The number of the record that a reference points at.
    func record(_ reference: AnyReference) -> RecordNumber {
        let model = model(reference.modelName)
        guard reference.keyBytes.count > RecordKey.maxWholeSize else {
            return reference.keyBytes.withUnsafeBytes { self.record(model, $0) }
        }
        let key = RecordKey(reference.keyBytes)
        let record = key.bytes.withUnsafeBytes { self.record(model, $0) }
        longKeys[record] = key.long
        return record
    }

    func modelName(_ record: RecordNumber) -> String { modelNames[Int(record.model)] }

    /// The engine's key.
    func key(_ record: RecordNumber) -> [UInt8] { keys[Int(record.model)][Int(record.key)] }

    /// The id's bytes; of one that was met only as a source, and has a shortened key, that key.
    func wholeKey(_ record: RecordNumber) -> [UInt8] { longKeys[record] ?? key(record) }

    /// Calls `body` with the id's bytes, which are valid during the call.
    func withWholeKey<Result>(_ record: RecordNumber, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if !longKeys.isEmpty, let key = longKeys[record] { return try key.withUnsafeBytes(body) }
        return try keys[Int(record.model)].withKey(Int(record.key), body)
    }

    /// A reference to the record.
    func reference(_ record: RecordNumber) -> AnyReference {
        AnyReference(modelName: modelName(record), keyBytes: wholeKey(record))
    }

    /// Whether the whole key is not known: the engine has a shortened form, and no reference or record has told the whole.
    func lacksWholeKey(_ record: RecordNumber) -> Bool {
        keys[Int(record.model)].withKey(Int(record.key)) { $0.count > RecordKey.maxWholeSize } && longKeys[record] == nil
    }

    func noteWholeKey(_ key: [UInt8], of record: RecordNumber) { longKeys[record] = key }

    /// Whether a record comes before another by its model's number and its key.
    func precedes(_ left: RecordNumber, _ right: RecordNumber) -> Bool {
        left.model == right.model ? keys[Int(left.model)].precedes(Int(left.key), Int(right.key)) : left.model < right.model
    }

    /// Records of one model in the order of their keys.
    func sorted(_ numbers: [Int], of model: Int) -> [Int] {
        numbers.count < 2 ? numbers : keys[model].sorted(numbers)
    }

    func removeAll() {
        modelNames.removeAll()
        keys.removeAll()
        longKeys.removeAll()
    }
}
