import Foundation
import Synchronization

/// What tells the dates of saves: the system's clock, or one that the program gives.
final class StoreClock: Sendable {
    /// A function as the value of a generic type would be wrapped once more, with each look at it, in one that takes its result by another way: a type of its
    /// own keeps it as it is.
    private struct Function {
        let tell: @Sendable () -> Date
    }

    private let held = Mutex(Function { Date() })

    /// The program's function.
    var tell: @Sendable () -> Date {
        get { held.withLock { $0.tell } }
        set { held.withLock { $0 = Function(tell: newValue) } }
    }

    /// The date now. The function is called outside of the lock: it may take its time.
    var now: Date { tell() }
}

/// The dates that saves give to records, where their model or collection has them.
extension WriteTransaction {
    /// Puts the dates of its save into the record in `buffer` of an object that must be new.
    @inlinable
    func dateInsertion(_ buffer: inout RecordBuffer, _ model: OpenModel) throws {
        if hasSavedDates(model) { try date(&buffer, model, over: nil) }
    }

    @usableFromInline func hasSavedDates(_ model: OpenModel) -> Bool { model.binding.hasSavedDates }

    /// Puts the dates of its save into the record in `buffer`, which may replace the one that is stored under a key.
    func dateSave(_ buffer: inout RecordBuffer, _ model: OpenModel, over key: RecordKey) throws {
        if model.binding.hasSavedDates { try date(&buffer, model, over: key) }
    }

    @usableFromInline func date(_ buffer: inout RecordBuffer, _ model: OpenModel, over key: RecordKey?) throws {
        guard let places = model.binding.savedDates else { return try dateDocument(&buffer, model, over: key) }
        let layout = model.binding.layout
        var stored: RecordDates?
        var isChanged = true
        if let keyspace = model.keyspace, let key = key?.bytes {
            _ = try ifReadable {
                try reader.get(key.span.bytes, in: keyspace) { record in
                    try withRecordView(record, key: key.span.bytes, model) { old in
                        stored = places.dates(of: old)
                        isChanged = try buffer.withBytes { newKey, record in
                            // Another id is a change.
                            if !newKey.isEqual(to: key.span.bytes) { return true }
                            return try record.withUnsafeBytes { record in
                                try newKey.withUnsafeBytes { try places.differ(RecordView(trusting: record, key: $0, layout: layout), old) }
                            }
                        }
                    }
                }
            }
        }
        let present = try buffer.withBytes { key, record in try places.dates(of: record, key: key, layout) }
        buffer.set(present.saved(over: stored, isChanged: isChanged, at: saveDate), at: places)
    }

    /// What `body` reads of a record that is to be replaced; nil when that is damaged or cannot be opened: a save writes over it, and it keeps nothing.
    ///
    /// - Throws: ``TroveError/newerRecord(model:id:)``, among others.
    func ifReadable<Result>(_ body: () throws -> Result?) throws -> Result? {
        do {
            return try body()
        } catch TroveError.corruptRecord {
            return nil
        } catch TroveError.encryptedRecord {
            return nil
        }
    }

    private func dateDocument(_ buffer: inout RecordBuffer, _ model: OpenModel, over key: RecordKey?) throws {
        var record = try buffer.withBytes { key, record in try storedRecord(record, key: key) }
        let stored = try ifReadable { try key.flatMap { try storedRecord(under: $0.bytes, model) } }
        try model.binding.noteSave(of: &record, over: stored, at: saveDate)
        let annexes = buffer.record.annexes
        try buffer.encode(record, model.binding.layout)
        buffer.record.prefer(annexes)
    }

    /// Sets which attributes of a collection's documents have the dates of their saves; nil for none.
    func setDates(_ dates: DocumentDates?, ofCollection name: String) throws {
        let model = try openCollectionForSaving(named: name)
        if model.binding.documentDates == dates { return }
        let writer = try writer
        guard var entry = try Catalogue.entry(model.binding.layout.number, writer) else { throw try unknownType(name) }
        entry.documentDates = dates
        let changed = entry
        try flushIndexes()
        try change {
            try Catalogue.write(changed, writer)
            // Programs look at the layouts again.
            try IndexDirectory.renew(writer)
            if let pipeline { try pipeline.reload() } else { forgetIndexes() }
            forgetModels()
        }
    }
}
