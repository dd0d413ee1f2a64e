import FailingCalls
import Foundation
import TestSupport
import Trove
import TroveDocument
import TroveMirror

/// What a process does that ends in the middle of it.
enum EndedRun: String {
    /// Opens `document` in the folder, changes its note and saves it.
    case document
    /// Opens `document` in the folder, changes its note and goes back to what is saved.
    case reverting
    /// Opens `document` in the folder, and closes it.
    case opening
    /// Opens `store` in the folder, and synchronizes it with the files in `mirror`.
    case mirror

    func run(_ engine: Engine, endingAt call: Int64, in folder: String) throws {
        switch self {
        case .document:
            let document = try changedDocument(engine, in: folder)
            failing_calls_arm_end(call)
            try document.save()
            failing_calls_disarm()
        case .reverting:
            let document = try changedDocument(engine, in: folder)
            failing_calls_arm_end(call)
            try document.revert()
            try document.close()
            failing_calls_disarm()
        case .opening:
            failing_calls_arm_end(call)
            try opened(engine, in: folder).close()
            failing_calls_disarm()
        case .mirror:
            let store = try ObjectStore(engine.open(folder + "/store"), models: [])
            let mirror = try StoreMirror(store, at: URL(filePath: folder + "/mirror"))
            failing_calls_arm_end(call)
            try mirror.synchronize()
            failing_calls_disarm()
        }
    }

    private func opened(_ engine: Engine, in folder: String) throws -> StoreDocument {
        try StoreDocument(at: URL(filePath: folder + "/document"), engine: DocumentEngine(engine.rawValue) { try engine.open($0) }, recovery: .restore)
    }

    private func changedDocument(_ engine: Engine, in folder: String) throws -> StoreDocument {
        let document = try opened(engine, in: folder)
        let notes = document.store.documents("notes")
        for var note in try notes.fetch().all() {
            note["state"] = "new"
            try notes.save(note)
        }
        return document
    }
}
