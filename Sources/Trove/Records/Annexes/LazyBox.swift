import Synchronization

/// A lazy value: in memory, or an annex that is stored, or both.
final class LazyBox<Value: Sendable>: AnnexProvider {
    private enum Content: Sendable {
        /// Made in memory.
        case value(Value)
        case stored(StoredAnnex)
        /// Read from an annex.
        case loaded(Value, StoredAnnex)
    }

    private let content: Content
    private let coding: LazyCoding<Value>
    /// How a value of memory is stored, once it is known.
    private let knownForm = Mutex<LazyForm?>(nil)

    init(_ value: Value, _ coding: LazyCoding<Value>) {
        content = .value(value)
        self.coding = coding
    }

    init(_ annex: StoredAnnex, _ coding: LazyCoding<Value>) {
        content = .stored(annex)
        self.coding = coding
    }

    private init(_ value: Value, _ annex: StoredAnnex, _ coding: LazyCoding<Value>) {
        content = .loaded(value, annex)
        self.coding = coding
    }

    var stored: StoredAnnex? {
        if case .stored(let annex) = content { annex } else { nil }
    }

    /// The value, if it is in memory.
    var known: Value? {
        switch content {
        case .value(let value), .loaded(let value, _): value
        case .stored: nil
        }
    }

    func value() throws -> Value { try value { try $0.withBytes($1) } }

    /// The value, of an annex read on a thread that may wait for the disk.
    func valueFromReader() async throws -> Value {
        guard case .stored(let annex) = content else { return try value() }
        return try await annex.onReader { try self.value() }
    }

    /// The value, of an annex by a way of reading it.
    func value(_ read: (StoredAnnex, (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws -> Value {
        switch content {
        case .value(let value), .loaded(let value, _): return value
        case .stored(let annex):
            var value: Value?
            do {
                try read(annex) { value = try coding.value(ofNested: $0) }
            } catch DecodingFault.damaged(let reason), TroveError.corruptValue(let reason) {
                throw annex.corrupt("cannot be read: \(reason)")
            } catch DecodingFault.unfit(let reason) {
                throw TroveError.decodingFailed(
                    model: annex.modelName, field: annex.field, id: StoredRecord.text(of: annex.recordKey), reason: reason)
            }
            guard let value else { throw annex.gone }
            return value
        }
    }

    /// One that has the value in memory.
    func loaded() throws -> LazyBox {
        guard case .stored(let annex) = content else { return self }
        return LazyBox(try value(), annex, coding)
    }

    /// One that has what another record of the same object has in the same field.
    func taking(_ form: LazyForm, of annex: StoredAnnex, from source: any AnnexSource) throws -> LazyBox {
        switch form {
        case .whole(let nested): LazyBox(try nested.withUnsafeBytes { try coding.value(ofNested: $0) }, coding)
        case .annex(let id): LazyBox(StoredAnnex(id, modelName: annex.modelName, field: annex.field, recordKey: annex.recordKey, source), coding)
        }
    }

    /// How the value is stored.
    ///
    /// - Throws: `DecodingFault.unfit` when it cannot be encoded.
    func form() throws -> LazyForm {
        switch content {
        case .stored(let annex), .loaded(_, let annex): return .annex(annex.id)
        case .value(let value):
            if let form = knownForm.withLock(\.self) { return form }
            let form = try coding.withNested(value) { LazyForm(ofNested: $0) }
            knownForm.withLock { $0 = form }
            return form
        }
    }

    /// How the value is kept in a record that has all that is in memory.
    func wholeForm() throws -> LazyForm {
        guard case .value(let value) = content else { return try form() }
        return try coding.withNested(value) { .whole([UInt8]($0)) }
    }

    func annexBytes() throws -> [UInt8] {
        switch content {
        case .value(let value), .loaded(let value, _): try coding.withNested(value) { [UInt8]($0) }
        case .stored(let annex): try annex.annexBytes()
        }
    }

    /// What equal values have alike; the box itself where the value cannot be stored.
    var comparable: AnyHashable {
        do {
            return AnyHashable(try form())
        } catch {
            return AnyHashable(ObjectIdentifier(self))
        }
    }
}

/// How lazy values of a type are written and read: in the nested encoding.
struct LazyCoding<Value: Sendable>: Sendable {
    private let encode: @Sendable (Value, inout ByteWriter) throws -> Void
    private let decode: @Sendable (inout ByteReader) throws -> Value

    /// Calls `body` with the value's bytes.
    func withNested<Result>(_ value: Value, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var bytes = ByteWriter()
        try encode(value, &bytes)
        return try bytes.withBytes { try $0.withUnsafeBytes(body) }
    }

    /// The value with these bytes.
    func value(ofNested bytes: UnsafeRawBufferPointer) throws -> Value {
        var reader = ByteReader(bytes)
        let value = try decode(&reader)
        guard reader.remaining == 0 else { throw DecodingFault.damaged("bytes are left after the value") }
        return value
    }
}

extension LazyCoding where Value: Storable {
    /// That of types that are stored natively.
    static var storable: LazyCoding {
        LazyCoding(encode: { try $0.encodeNested(into: &$1) }, decode: { try Value.decodeNested(from: &$0) })
    }
}

extension LazyCoding where Value: Codable {
    /// That of types that encode themselves.
    static var codable: LazyCoding {
        LazyCoding(
            encode: { try StoredValue(encoding: $0).encodeNested(into: &$1) },
            decode: { try StoredValue.decodeNested(from: &$0).decoded(as: Value.self) })
    }
}
