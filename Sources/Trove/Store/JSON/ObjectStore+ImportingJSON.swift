import Foundation

extension ObjectStore {
    /// Stores the content of a file of JSON lines, as ``exportJSON(to:progress:)`` writes it.
    ///
    /// ```swift
    /// let report = try store.importJSON(from: "music.jsonl")
    /// print(report)                       // Album: 1, Song: 3, 2 bags
    /// ```
    ///
    /// Objects, bags, values and blobs replace those of the same ids, keys and names; others stay. Indexes, unique rules, relationships and observers see each
    /// change. Objects of models that the program does not have are stored too, in their own layouts. Records keep the version of the model they were
    /// written in, and are upgraded as others are.
    ///
    /// An import brings back what was: ``FieldOptions/writeOnce`` and ``FieldOptions/keepIfNil`` keep nothing of the object that is replaced. Each object
    /// is read as its model before it is stored.
    ///
    /// - Parameters:
    ///   - mode: whether one line that cannot be stored refuses all.
    ///   - start: where to go on, after an import in batches that broke off: the last report's
    ///     ``JSONImportReport/position``. Doing lines again changes nothing.
    ///   - unknownModels: whether objects of models that the program does not have are stored or passed over.
    ///   - progress: called after each batch that is committed, or, when all is one, after each piece that is read; when it throws,
    ///     the import breaks off with its error.
    /// - Returns: what was stored and what was not.
    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)`` when the first line is not that of an export;
    ///   ``TroveError/invalidModelName(_:reason:)`` when it names a model as another is named, in other Unicode scalars; ``TroveError/invalidToken(reason:)``
    ///   when no line begins at `start`; ``StorageError``; in one transaction ``TroveError/lineRefused(line:underlying:)``
    ///   for the first line that cannot be stored; `CancellationError` between two pieces of some megabytes in a task that is cancelled: in one transaction
    ///   nothing is stored then, in batches those that were committed stay.
    @discardableResult
    public func importJSON(
        from path: String, mode: JSONImportMode = .allOrNothing, startingAt start: JSONImportReport.Position? = nil,
        unknownModels: UnknownModels = .kept, durability: Durability? = nil, progress: (JSONImportReport) throws -> Void = { _ in }
    ) throws -> JSONImportReport {
        try importJSON(JSONLines(path: path), mode, start, unknownModels, durability ?? self.durability, progress)
    }

    /// Stores the content of JSON lines in memory.
    @discardableResult
    public func importJSON(
        _ data: Data, mode: JSONImportMode = .allOrNothing, startingAt start: JSONImportReport.Position? = nil, unknownModels: UnknownModels = .kept,
        durability: Durability? = nil, progress: (JSONImportReport) throws -> Void = { _ in }
    ) throws -> JSONImportReport {
        try importJSON(JSONLines(data), mode, start, unknownModels, durability ?? self.durability, progress)
    }

    /// Stores the content of a file of JSON lines, on the maintenance thread, which runs one task at a time.
    @discardableResult
    public func importJSON(
        from path: String, mode: JSONImportMode = .allOrNothing, startingAt start: JSONImportReport.Position? = nil,
        unknownModels: UnknownModels = .kept, durability: Durability? = nil, progress: @escaping @Sendable (JSONImportReport) throws -> Void = { _ in }
    ) async throws -> JSONImportReport {
        try await maintenanceQueue.run {
            try self.importJSON(from: path, mode: mode, startingAt: start, unknownModels: unknownModels, durability: durability, progress: progress)
        }
    }

    func importJSON(
        _ lines: JSONLines, _ mode: JSONImportMode, _ start: JSONImportReport.Position? = nil, _ unknownModels: UnknownModels = .kept, _ durability: Durability,
        _ progress: (JSONImportReport) throws -> Void
    ) throws -> JSONImportReport {
        let first = try lines.next()
        let headerEnd = first.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? first.count
        let header = try first[..<headerEnd].withUnsafeBytes { try TransferHeader($0) }
        let targets = try core.write(durability) { try $0.registerLayouts(header.layouts, keepsUnknown: unknownModels == .kept) }
        let before = try JSONImportReport(lines, from: .init(lines: 1, offset: headerEnd), to: start)
        var report = before
        let watch = ReadWatch()
        switch mode {
        case .allOrNothing:
            try core.write(durability) { transaction in
                report = before
                try lines.seek(to: report.position.offset)
                let batch = JSONImportBatch(transaction, targets)
                while case let piece = try lines.next(), !piece.isEmpty {
                    try watch.look()
                    try batch.store(piece, &report, refusal: .ends)
                    try progress(report)
                }
                guard report.isComplete else { throw JSONImportBatch.missingEnd(report) }
                // Behind the last piece, too: what is not committed can still be taken back.
                try watch.look()
            }
        case .inBatches:
            try lines.seek(to: report.position.offset)
            while case let piece = try lines.next(), !piece.isEmpty {
                try watch.look()
                report = try storeBatch(piece, report, targets, durability)
                try progress(report)
            }
        }
        return report
    }

    /// Stores a piece in a transaction; where the store refuses something of it, each line for itself.
    private func storeBatch(
        _ piece: [UInt8], _ report: JSONImportReport, _ targets: TransferTargets, _ durability: Durability
    ) throws -> JSONImportReport {
        for refusal in [JSONImportBatch.Refusal.isToldUnlessStored, .isTold] {
            // Whether an object refused itself.
            var hasRefused = false
            do {
                return try core.write(durability) { transaction in
                    defer { hasRefused = transaction.refusalCount > 0 }
                    var report = report
                    try JSONImportBatch(transaction, targets).store(piece, &report, refusal: refusal)
                    return report
                }
            } catch where refusal != .isTold && JSONImportBatch.concernsLine(error, hasRefused: hasRefused) {
                continue
            }
        }
        return report
    }
}

/// The treatment, in a transfer, of objects whose models the program does not have.
public enum UnknownModels: Sendable, Hashable {
    /// They are stored as they are, for programs that have them.
    case kept
    /// They are skipped.
    case skipped
}

/// The first line of a transfer.
struct TransferHeader {
    let layouts: TransferLayouts

    /// Where to go with JSON that no export has written.
    private static let otherJSON = "the first line of an export begins with {\"$trove\":; for other JSON use store.object(_:json:), or TroveImport"

    /// - Throws: ``TroveError/invalidJSON(line:column:offset:reason:)``, ``TroveError/newerFormat(stored:supported:)``.
    init(_ line: UnsafeRawBufferPointer) throws {
        do {
            var parser = JSONParser(line)
            if line.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "[") { throw JSONFault(offset: 0, reason: Self.otherJSON) }
            try parser.beginObject()
            guard let (name, place) = try parser.nextName(isFirst: true), name.elementsEqual("$trove".utf8) else {
                throw JSONFault(offset: 0, reason: Self.otherJSON)
            }
            var nested = ByteWriter()
            try parser.value(into: &nested)
            try parser.require("}", "'}'")
            try parser.finish()
            let value = try nested.withBytes { try $0.withUnsafeBytes { try FieldValue(nested: $0).storedValue() } }
            guard case .int(let format)? = value.value(at: "format"), format > 0 else { throw JSONFault(offset: place, reason: "the header has no format") }
            guard format <= Int64(StoreHeader.currentFormat) else { throw TroveError.newerFormat(stored: Int(format), supported: StoreHeader.currentFormat) }
            do {
                layouts = try TransferLayouts(value)
            } catch TroveError.corruptCatalogue(_, let reason) {
                throw JSONFault(offset: place, reason: "the header's layouts cannot be read: \(reason)")
            }
        } catch let fault as JSONFault {
            throw fault.error(in: line)
        }
    }
}
