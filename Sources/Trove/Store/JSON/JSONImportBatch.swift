import Foundation

/// Stores lines of a transfer in one transaction.
final class JSONImportBatch {
    /// What becomes of a line that cannot be stored.
    enum Refusal {
        /// The transfer ends with its error.
        case ends
        /// It is told when it cannot be read; when the store refuses it, the batch ends with the error.
        case isToldUnlessStored
        /// It is told in any case, for which each line has a savepoint.
        case isTold
    }

    /// The error for a file that ends without being whole.
    static func missingEnd(_ report: JSONImportReport) -> TroveError {
        let line = report.position.lines + 1
        let fault = JSONFault(offset: 0, reason: "the last line of an export, {\"$end\": …}, is missing; the file is a part of one")
        return .lineRefused(line: line, underlying: fault.error(in: .init(start: nil, count: 0), line: line, offset: report.position.offset))
    }

    private let transaction: WriteTransaction
    private let lines: TransferLineReader
    /// The names of the piece's bags, by their ids as errors show them.
    private var bagNames: [String: String] = [:]
    /// Whether the store is being changed.
    private var isWriting = false

    init(_ transaction: WriteTransaction, _ targets: TransferTargets) {
        self.transaction = transaction
        lines = TransferLineReader(transaction, targets)
    }

    /// Stores the lines of a piece, which follows those that the report has.
    func store(_ piece: [UInt8], _ report: inout JSONImportReport, refusal: Refusal) throws {
        try piece.withUnsafeBytes { bytes in
            bagNames.removeAll(keepingCapacity: true)
            if refusal == .isTold { return try storeLines(bytes, &report, refusal) }
            do {
                try transaction.batch { try storeLines(bytes, &report, refusal) }
            } catch {
                throw shown(error)
            }
        }
    }

    /// An error as users know it: bags are no model of theirs.
    private func shown(_ error: any Error) -> any Error {
        guard case TroveError.uniqueViolation(StoredBag.schema.name, _, let values, let id, let otherID) = error else { return error }
        return TroveError.bagNameTaken(name: bagNames[id] ?? bagNames[otherID] ?? values)
    }

    /// Whether an error is about a line, and not about the store.
    private static func concernsLine(_ error: any Error) -> Bool {
        switch error {
        case TroveError.corruptCatalogue, TroveError.corruptIndex, TroveError.tooManyLayouts, TroveError.newerFormat, TroveError.newerFeatures,
            TroveError.notAStore, TroveError.incompleteCopy, TroveError.closed, TroveError.transactionFinished, TroveError.transactionPoisoned:
            false
        case is TroveError: true
        case StorageError.keyTooLarge, StorageError.valueTooLarge, StorageError.emptyKey, StorageError.invalidKeyspaceName: true
        default: false
        }
    }

    /// - Parameter hasRefused: whether an object has refused to be stored. What the engine throws later is no refusal all the same.
    static func concernsLine(_ error: any Error, hasRefused: Bool) -> Bool { concernsLine(error) || hasRefused && !(error is StorageError) }

    private func storeLines(_ bytes: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        try JSONLines.forEachLine(of: bytes) { line, size in
            try storeLine(line, &report, refusal)
            report.position = .init(lines: report.position.lines + 1, offset: report.position.offset + size)
        }
    }

    private func storeLine(_ line: UnsafeRawBufferPointer, _ report: inout JSONImportReport, _ refusal: Refusal) throws {
        let number = report.position.lines + 1
        if JSONLines.isBlank(line) { return }
        isWriting = false
        report.isComplete = false
        report.lineCount += 1
        let refusals = transaction.refusalCount
        do {
            let item: TransferItem
            do {
                item = try lines.read(line, &report)
            } catch let fault as JSONFault {
                throw fault.error(in: line, line: number, offset: report.position.offset)
            }
            if refusal == .isTold { try transaction.savepoint { try write(item) } } else { try write(item) }
            count(item, &report)
        } catch where Self.concernsLine(error, hasRefused: transaction.refusalCount != refusals) {
            switch refusal {
            case .ends: throw TroveError.lineRefused(line: number, underlying: shown(error))
            case .isTold:
                report.reject(number, shown(error))
                // What was made since the savepoint is gone.
                lines.forgetPlaces()
            // What could not be read has changed nothing yet.
            case .isToldUnlessStored:
                if isWriting { throw error }
                report.reject(number, error)
            }
        }
    }

    private func count(_ item: TransferItem, _ report: inout JSONImportReport) {
        switch item {
        case .record(let reading, _):
            report.contents.objects[reading.model, default: 0] += 1
            if reading.target.isUnknown { report.unknownModels.insert(reading.model) }
        case .skipped: report.skipped += 1
        case .metadata: report.contents.metadata += 1
        case .blob(_, let data, let part): if part.map({ $0.offset + data.count == $0.size }) ?? true { report.contents.blobs += 1 }
        case .bag: report.contents.bags += 1
        case .end: report.isComplete = true
        }
    }

    private func write(_ item: TransferItem) throws {
        isWriting = true
        switch item {
        case .record(let reading, let isUpgraded):
            try transaction.offering(lines.record) { if isUpgraded { try write(reading, lines.completed) } else { try write(reading, lines.record) } }
        case .metadata(let key, let value): try transaction.setMetadata(value, forKey: key)
        case .blob(let name, let data, let part):
            if let part {
                try transaction.storeTransferred(data, of: name, at: part.offset, total: part.size)
            } else {
                try transaction.setBlob(data, named: name)
            }
        case .bag(let bag):
            bagNames["\(bag.id)"] = bag.name
            try transaction.save(bag)
        case .skipped, .end: break
        }
        isWriting = false
    }

    private func write(_ reading: TransferReading, _ buffer: borrowing RecordBuffer) throws {
        try buffer.withBytes { key, record in
            if let type = reading.target.type {
                let model = try transaction.openForSaving(type)
                if buffer.hasLongKey { try checkCollision(key, record, in: model.keyspace, reading.model) }
                return try transaction.upsert(key, record, model)
            }
            let place = try reading.place ?? (transaction.writer.createKeyspace(named: reading.model), transaction.pipeline(of: reading.model))
            reading.place = place
            if buffer.hasLongKey { try checkCollision(key, record, in: place.keyspace, reading.model) }
            guard let pipeline = place.pipeline else { return try transaction.writer.put(key, record, in: place.keyspace) }
            try key.withUnsafeBytes { key in try record.withUnsafeBytes { try pipeline.upsert(key, $0, in: place.keyspace) } }
        }
    }

    /// Throws when another id has the same shortened key.
    private func checkCollision(_ key: RawSpan, _ record: RawSpan, in keyspace: Keyspace?, _ model: String) throws {
        guard let keyspace else { return }
        let own = try record.withUnsafeBytes { record in try key.withUnsafeBytes { try transaction.wholeKey($0, of: record) } }
        try transaction.checkIsFree(key, for: own, shown: StoredRecord.text(of: own), in: keyspace, of: model)
    }
}
