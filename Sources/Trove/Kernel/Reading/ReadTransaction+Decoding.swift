import Foundation

/// Objects are made in code that is generic over the model and specialised where the application calls it; what
/// does not depend on the model's type is here once.
extension ReadTransaction {
    /// The object of a checked record.
    @inlinable
    func object<Object: Model>(_ record: inout RecordDecoder) throws -> Object {
        // Only a live model asks who reads, and of a struct that is known where the code is specialised.
        try Object._makeObject(from: &record, for: Object._isLive ? reading : nil)
    }

    /// Runs `body` with a decoder of a record, checked, unless `whole` is given and the record is of another id with the same
    /// shortened key. Faults become errors that name the model, field and id.
    @usableFromInline func withDecoder(
        _ record: RawSpan, key: RawSpan, _ model: OpenModel, matching whole: [UInt8]? = nil,
        _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        try record.withUnsafeBytes { record in try key.withUnsafeBytes { key in try withDecoder(record, key, model, matching: whole, body) } }
    }

    /// As above. Were it in the closure there, the model would be copied into that for each record.
    private func withDecoder(
        _ record: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, _ model: OpenModel, matching whole: [UInt8]?,
        _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        guard RecordView.isPlain(record, key: key, shape: model.shape) else {
            return try withUncommonDecoder(record, key: key, model, matching: whole, body)
        }
        let binding = model.binding
        var decoder = RecordDecoder(RecordView(plain: record, key: key, shape: model.shape), layout: binding.layout)
        if model.hasLazyFields { decoder.annexSource = annexes(of: binding.layout) }
        try binding.decode(&decoder, matching: whole, body)
    }

    /// As above, for a record that is not like most: it has flags, is of an older layout, or damaged.
    @inline(never)
    private func withUncommonDecoder(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ model: OpenModel, matching whole: [UInt8]?,
        _ body: (inout RecordDecoder) throws -> Void
    ) throws {
        let binding = model.binding
        var decoder: RecordDecoder
        do {
            let number = try RecordDecoder.header(of: record).layout
            let isCurrent = number == binding.layout.number
            let layout = isCurrent ? binding.layout : try storedLayout(number)
            guard layout.modelName == binding.schema.name else { throw DecodingFault.damaged("its layout belongs to \(layout.modelName)") }
            decoder = try RecordDecoder(record, key: key, layout: layout, plan: isCurrent ? nil : try binding.plan(for: layout))
            decoder.annexSource = annexes(of: layout)
        } catch {
            throw binding.recordError(error, key: key)
        }
        try binding.decode(&decoder, matching: whole, body)
    }
}

extension ModelBinding {
    /// Runs `body` with a decoder, unless `whole` is given and the record is of another id. Faults become errors that name the model, field and id.
    @inline(__always)
    fileprivate func decode(_ decoder: inout RecordDecoder, matching whole: [UInt8]?, _ body: (inout RecordDecoder) throws -> Void) throws {
        do {
            if let whole, try decoder.wholeKey() != whole { return }
            try body(&decoder)
        } catch {
            throw recordError(error, field: decoder.field, key: decoder.key)
        }
    }
}

extension ReadTransaction {
    /// Calls `body` with a record that has been checked, in the model's current layout: one of an older layout is written in the current one to memory, and
    /// one of an older version is read as an object before, and upgraded.
    ///
    /// Values that turn out to be damaged while `body` reads them become errors that name the model and id.
    ///
    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``, ``TroveError/decodingFailed(model:field:id:reason:)`` and
    ///   ``TroveError/upgradeFailed(model:id:underlying:)``; what `body` throws.
    @inline(__always)
    func withRecordView(
        _ record: RawSpan, key: RawSpan, _ model: OpenModel, _ body: (RecordView) throws -> Void
    ) throws {
        try record.withUnsafeBytes { record in
            try key.withUnsafeBytes { key in
                guard RecordView.isPlain(record, key: key, shape: model.shape) else {
                    return try withUncommon(record, key: key, model, body)
                }
                do {
                    var view = RecordView(plain: record, key: key, shape: model.shape)
                    if model.hasLazyFields { view.annexes = annexes(of: model.binding.layout) }
                    try body(view)
                } catch {
                    throw model.binding.recordError(error, key: key)
                }
            }
        }
    }

    /// As above, for a record that is not like most: it has flags, is of an older layout, or damaged.
    @inline(never)
    private func withUncommon(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ model: OpenModel, _ body: (RecordView) throws -> Void
    ) throws {
        do {
            guard try RecordDecoder.header(of: record).layout == model.binding.layout.number else {
                return try withNormalised(record, key: key, model, body)
            }
            var view = try RecordView(checking: record, key: key, layout: model.binding.layout)
            view.annexes = annexes(of: model.binding.layout)
            try body(view)
        } catch {
            throw model.binding.recordError(error, key: key)
        }
    }

    /// As above, for a record of an older layout, of which an object is made only where the record does not tell all.
    private func withNormalised(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ model: OpenModel, _ body: (RecordView) throws -> Void
    ) throws {
        // A body may look at another record, so a buffer belongs to one call at a time.
        var buffer = spareBuffer.take() ?? RecordBuffer()
        var outcome: Result<Void, any Error> = .success(())
        do {
            try withDecoder(record.bytes, key: key.bytes, model) { try model.binding.show(&$0, &buffer) }
            try buffer.withBytes { _, record in
                try record.withUnsafeBytes {
                    var view = try RecordView(trusting: $0, key: key, layout: model.binding.layout)
                    view.annexes = annexes(of: model.binding.layout)
                    try body(view)
                }
            }
        } catch {
            outcome = .failure(error)
        }
        spareBuffer = consume buffer
        try outcome.get()
    }
}

extension ModelBinding {
    /// The error users see for one that was thrown while a record was read.
    ///
    /// - Parameter field: the number of fields read, the failing one included.
    func recordError(_ error: any Error, field: Int = 0, key: UnsafeRawBufferPointer) -> any Error {
        switch error {
        case let fault as DecodingFault: self.error(for: fault, field, [UInt8](key))
        case TroveError.corruptValue(let reason), TroveError.corruptKey(let reason): self.error(for: .damaged(reason), field, [UInt8](key))
        default: error
        }
    }

    private func error(for fault: DecodingFault, _ field: Int, _ key: [UInt8]) -> TroveError {
        fault.error(model: schema, field: field, key: key, shownID: shownID(key))
    }
}

extension ModelBinding {
    /// Runs `body` with a decoder of a record in the current layout. Faults become errors that name the model, field and id.
    ///
    /// - Parameter annexes: where lazy values are read from that are asked for.
    func withDecoder<Result>(
        _ record: [UInt8], key: RecordKey, annexes: (any AnnexSource)?, _ body: (inout RecordDecoder) throws -> Result
    ) throws -> Result {
        try record.withUnsafeBytes { record in
            try key.bytes.withUnsafeBytes { key in
                var decoder: RecordDecoder
                do {
                    decoder = try RecordDecoder(record, key: key, layout: layout, plan: nil)
                } catch {
                    throw recordError(error, key: key)
                }
                decoder.annexSource = annexes
                do {
                    return try body(&decoder)
                } catch {
                    throw recordError(error, field: decoder.field, key: key)
                }
            }
        }
    }
}
