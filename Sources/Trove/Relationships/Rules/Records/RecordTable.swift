/// Records of any models, stored or only pointed at, each with a number.
final class RecordTable {
    @exclusivity(unchecked) private(set) var modelNames: [String] = []
    /// The engine's keys of a model's records.
    @exclusivity(unchecked) private(set) var keys: [KeyTable] = []
    private var numbers: [String: Int] = [:]
    /// The model that was asked for last: mostly it is the next, too.
    @exclusivity(unchecked) private var lastModel = 0
    /// The whole keys of which the engine has a shortened form.
    @exclusivity(unchecked) private var longKeys: [RecordNumber: [UInt8]] = [:]

    /// The number of a model.
    func model(_ name: String) -> Int {
        if lastModel < modelNames.count, modelNames[lastModel] == name { return lastModel }
        if let number = numbers[name] {
            lastModel = number
            return number
        }
        numbers[name] = modelNames.count
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
        numbers.removeAll()
        longKeys.removeAll()
    }
}
