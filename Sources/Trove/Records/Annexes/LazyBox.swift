import Foundation
import Synchronization

/// A lazy value: in memory, or an annex that is stored, or both.
final class LazyBox<Value: Sendable>: AnnexProvider {
    private enum Content: Sendable {
        /// Made in memory.
        case value(Value)
        case stored(StoredAnnex)
        /// Read from an annex, with its bytes where encoding the value gives others.
        case loaded(Value, StoredAnnex, kept: [UInt8]?)
    }

    /// What a value of memory encoded itself to. Types may encode themselves otherwise each time, as by a set that they make, and a record has the id of one
    /// encoding.
    private enum Encoding: Sendable {
        /// Only compared yet.
        case compared(LazyForm)
        /// A record has the form; nobody has asked for these bytes yet.
        case first(LazyForm, [UInt8])
        /// Encoding the value again gave the same.
        case repeatable(LazyForm)
        /// Encoding the value again gave something else.
        case single(LazyForm, [UInt8])

        var form: LazyForm {
            switch self {
            case .compared(let form), .first(let form, _), .repeatable(let form), .single(let form, _): form
            }
        }

        /// The form that records have; nil when none has one.
        var told: LazyForm? {
            if case .compared = self { nil } else { form }
        }
    }

    private let content: Content
    private let coding: LazyCoding<Value>
    /// How a value of memory is stored, once it is known.
    private let encoding = Mutex<Encoding?>(nil)

    init(_ value: Value, _ coding: LazyCoding<Value>) {
        content = .value(value)
        self.coding = coding
    }

    init(_ annex: StoredAnnex, _ coding: LazyCoding<Value>) {
        content = .stored(annex)
        self.coding = coding
    }

    private init(_ value: Value, _ annex: StoredAnnex, kept: [UInt8]?, _ coding: LazyCoding<Value>) {
        content = .loaded(value, annex, kept: kept)
        self.coding = coding
    }

    var stored: StoredAnnex? {
        if case .stored(let annex) = content { annex } else { nil }
    }

    /// The value, if it is in memory.
    var known: Value? {
        switch content {
        case .value(let value), .loaded(let value, _, _): value
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
        case .value(let value), .loaded(let value, _, _): return value
        case .stored(let annex): return try decoding(annex, read) { value, _ in value }
        }
    }

    /// Calls `body` with the value of an annex and its bytes.
    private func decoding<Result>(
        _ annex: StoredAnnex, _ read: (StoredAnnex, (UnsafeRawBufferPointer) throws -> Void) throws -> Void,
        _ body: @escaping (Value, UnsafeRawBufferPointer) -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try read(annex) { result = body(try coding.value(ofNested: $0), $0) }
        } catch DecodingFault.damaged(let reason), TroveError.corruptValue(let reason) {
            throw annex.corrupt("cannot be read: \(reason)")
        } catch DecodingFault.unfit(let reason) {
            throw TroveError.decodingFailed(model: annex.modelName, field: annex.field, id: StoredRecord.text(of: annex.recordKey), reason: reason)
        }
        guard let result else { throw annex.gone }
        return result
    }

    /// One that has the value in memory.
    func loaded() throws -> LazyBox {
        guard case .stored(let annex) = content else { return self }
        return try decoding(annex, { try $0.withBytes($1) }) { [coding] value, bytes in
            LazyBox(value, annex, kept: coding.gives(bytes, for: value) ? nil : [UInt8](bytes), coding)
        }
    }

    /// One that has what another record of the same object has in the same field.
    func taking(_ form: LazyForm, of annex: StoredAnnex, from source: any AnnexSource) throws -> LazyBox {
        switch form {
        case .whole(let nested): LazyBox(try nested.withUnsafeBytes { try coding.value(ofNested: $0) }, coding)
        case .annex(let id): LazyBox(StoredAnnex(id, modelName: annex.modelName, field: annex.field, recordKey: annex.recordKey, source), coding)
        }
    }

    /// How a record has the value, which is stored with it.
    ///
    /// - Throws: `DecodingFault.unfit` when it cannot be encoded.
    func form() throws -> LazyForm {
        switch content {
        case .stored(let annex), .loaded(_, let annex, _): return .annex(annex.id)
        case .value(let value):
            if let form = encoding.withLock({ $0?.told }) { return form }
            let (form, new): (LazyForm, Encoding) = try coding.withNested(value) { bytes in
                let form = LazyForm(ofNested: bytes)
                return if case .annex = form, !coding.isExact { (form, .first(form, [UInt8](bytes))) } else { (form, .repeatable(form)) }
            }
            return encoding.withLock { encoding in
                // Another thread may have been faster, whose form a record has.
                if let told = encoding?.told { return told }
                encoding = new
                return form
            }
        }
    }

    /// How the value would be stored. Its bytes are not kept for that.
    private func formToCompare() throws -> LazyForm {
        guard case .value(let value) = content else { return try form() }
        if let form = encoding.withLock({ $0?.form }) { return form }
        let form = try coding.withNested(value) { LazyForm(ofNested: $0) }
        encoding.withLock { $0 = $0 ?? .compared(form) }
        return form
    }

    /// How the value is kept in a record that has all that is in memory.
    func wholeForm() throws -> LazyForm {
        guard case .value(let value) = content else { return try form() }
        return try coding.withNested(value) { .whole([UInt8]($0)) }
    }

    func annexBytes() throws -> [UInt8] {
        switch content {
        case .stored(let annex): return try annex.annexBytes()
        case .loaded(let value, _, let kept): return try kept ?? coding.withNested(value) { [UInt8]($0) }
        case .value(let value):
            switch encoding.withLock(\.self) {
            case .first(let form, let bytes)?:
                keepNoLonger(bytes, of: form, value)
                return bytes
            case .single(_, let bytes)?: return bytes
            case .compared?, .repeatable?, nil: return try coding.withNested(value) { [UInt8]($0) }
            }
        }
    }

    func annexIsStored() {
        guard case .value(let value) = content, case .first(let form, let bytes)? = encoding.withLock(\.self) else { return }
        keepNoLonger(bytes, of: form, value)
    }

    /// Lets go of an encoding, unless there is no other way to have it again: a transaction that stored it may be taken back.
    private func keepNoLonger(_ bytes: [UInt8], of form: LazyForm, _ value: Value) {
        // The value's own code runs outside of the lock.
        let isRepeatable = coding.gives(bytes, for: value)
        encoding.withLock { encoding in
            if !isRepeatable {
                // Also where another thread got the same once.
                encoding = .single(form, bytes)
            } else if case .first? = encoding {
                encoding = .repeatable(form)
            }
        }
    }

    /// How many bytes it keeps beside the value.
    var keptSize: Int {
        if case .loaded(_, _, let kept) = content { return kept?.count ?? 0 }
        return switch encoding.withLock(\.self) {
        case .first(_, let bytes)?, .single(_, let bytes)?: bytes.count
        case .compared?, .repeatable?, nil: 0
        }
    }

    /// What equal values have alike; the box itself where the value cannot be stored.
    var comparable: AnyHashable {
        do {
            return AnyHashable(try formToCompare())
        } catch {
            return AnyHashable(ObjectIdentifier(self))
        }
    }
}

/// How lazy values of a type are written and read: in the nested encoding.
struct LazyCoding<Value: Sendable>: Sendable {
    /// Whether nobody has to look that encoding a value gives the same bytes each time, and those that it was read from.
    fileprivate let isExact: Bool
    private let encode: @Sendable (Value, inout ByteWriter) throws -> Void
    private let decode: @Sendable (inout ByteReader) throws -> Value

    /// Calls `body` with the value's bytes.
    func withNested<Result>(_ value: Value, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var bytes = ByteWriter()
        try encode(value, &bytes)
        return try bytes.withBytes { try $0.withUnsafeBytes(body) }
    }

    /// Whether encoding a value gives these bytes.
    func gives(_ bytes: UnsafeRawBufferPointer, for value: Value) -> Bool {
        // What cannot be encoded gives none.
        isExact || (try? withNested(value) { $0.count == bytes.count && KeyList.compare($0, bytes) == 0 }) ?? false
    }

    func gives(_ bytes: [UInt8], for value: Value) -> Bool { bytes.withUnsafeBytes { gives($0, for: value) } }

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
        LazyCoding(isExact: Value._nestsExactly, encode: { try $0.encodeNested(into: &$1) }, decode: { try Value.decodeNested(from: &$0) })
    }
}

extension LazyCoding where Value: Codable {
    /// That of types that encode themselves.
    static var codable: LazyCoding {
        LazyCoding(
            isExact: false,
            encode: { try StoredValue(encoding: $0).encodeNested(into: &$1) },
            decode: { try StoredValue.decodeNested(from: &$0).decoded(as: Value.self) })
    }
}
