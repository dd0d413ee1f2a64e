/// Records of older layouts, stored again in the present one.
extension WriteTransaction {
    /// How many bytes of records a batch rewrites before it ends early.
    private static let maxUpgradeMemory = 32 << 20

    /// Rewrites the older ones among the next `size` records, or fewer where they are large, and lets the contexts know; `last` is nil at the end.
    ///
    /// - Parameters:
    ///   - layouts: the numbers of the layouts that count; nil for all but the present one.
    ///   - places: of documents that the model has adopted those count that lack one of the properties at these places of the schema; empty for all.
    func upgradeBatch<Object: Model>(
        _ type: Object.Type, of layouts: Set<UInt16>? = nil, lacking places: [Int] = [], after start: [UInt8]?, size: Int
    ) throws -> (seen: Int, rewritten: Int, last: [UInt8]?) {
        var (seen, bytes) = (0, 0)
        var last: [UInt8]?
        var objects: [Object] = []
        var replaced: [(key: [UInt8], version: UInt64)] = []
        let model = try open(type)
        try forEachRecordBytes(of: model, after: start) { key, record in
            seen += 1
            let number = try layoutNumber(of: record, key: key, model)
            if layouts?.contains(number) ?? (number != model.binding.layout.number) {
                try withDecoder(record, key: key, model) {
                    if !places.isEmpty, $0.layout.documentPosition != nil {
                        var isWhole = true
                        for place in places where try $0.value(ofProperty: place) == nil { isWhole = false }
                        if isWhole { return }
                    }
                    bytes += record.byteCount
                    if model.isLive { replaced.append((try $0.wholeKey(), record.withUnsafeBytes { RecordChecksum.version(of: $0) })) }
                    objects.append(try object(&$0))
                }
            }
            guard seen == size || bytes >= Self.maxUpgradeMemory else { return .next }
            last = [UInt8](copying: key)
            return .stop
        }
        if objects.isEmpty { return (seen, 0, last) }
        try saveUpgraded(objects)
        for listener in core.attachments.rewriteListeners { try whenCommitted(listener.noteRewritten(replaced, of: type, in: self)) }
        return (seen, objects.count, last)
    }

    /// - Throws: ``TroveError/corruptRecord(model:id:reason:)``.
    func layoutNumber(of record: RawSpan, key: RawSpan, _ model: OpenModel) throws -> UInt16 {
        do {
            return try record.withUnsafeBytes { try RecordDecoder.header(of: $0).layout }
        } catch let fault as DecodingFault {
            throw key.withUnsafeBytes { model.binding.recordError(fault, key: $0) }
        }
    }

    /// Stores objects just read, as they are: their fields' options were heeded when they were first saved, and they are not judged anew.
    private func saveUpgraded<Object: Model>(_ objects: [Object]) throws {
        let model = try openForSaving(Object.self)
        var buffer = RecordBuffer()
        try rewriting {
            try withoutValidation {
                try batch {
                    for object in objects {
                        try encode(object, model, &buffer)
                        try upsert(buffer, model)
                    }
                }
            }
        }
    }
}
