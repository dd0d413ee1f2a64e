extension ReadTransaction {
    /// Calls `body` with a record that has been checked, in the model's current layout: one of an older layout or version is read
    /// as an object, upgraded, and written in the current layout to memory.
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
                    try body(RecordView(plain: record, key: key, shape: model.shape))
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
            try body(RecordView(checking: record, key: key, layout: model.binding.layout))
        } catch {
            throw model.binding.recordError(error, key: key)
        }
    }

    /// As above, for a record of an older layout.
    private func withNormalised(
        _ record: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ model: OpenModel, _ body: (RecordView) throws -> Void
    ) throws {
        // A body may look at another record, so a buffer belongs to one call at a time.
        var buffer = spareBuffer.take() ?? RecordBuffer()
        var outcome: Result<Void, any Error> = .success(())
        do {
            try withDecoder(record.bytes, key: key.bytes, model) { try model.binding.normalise(self, &$0, &buffer) }
            try buffer.withBytes { _, record in
                try record.withUnsafeBytes { try body(RecordView(trusting: $0, key: key, layout: model.binding.layout)) }
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
    func recordError(_ error: any Error, key: UnsafeRawBufferPointer) -> any Error {
        switch error {
        case let fault as DecodingFault: fault.error(model: schema, field: 0, key: [UInt8](key))
        case TroveError.corruptValue(let reason), TroveError.corruptKey(let reason):
            DecodingFault.damaged(reason).error(model: schema, field: 0, key: [UInt8](key))
        default: error
        }
    }
}
