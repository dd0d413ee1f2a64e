import Foundation
import Trove
import TroveBackendKit

/// The folders of stores, each of which says whose it is before there is anything in it: a program may end at any time, and what it began is found by that.
extension WorkingCopy {
    private static let folderEnding = ".working-store"
    private static let ownerName = "desk"

    /// What folders are called that are made or removed: they are on the desk then, with which they go.
    private static let passingName = "store-"

    private var passingFolder: URL { desk.appending(path: Self.passingName + UUID().uuidString) }

    /// Whether a name is one that folders of stores have.
    static func isFolder(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(folderEnding) }

    /// A new folder beside the desk, with a place for a store in it.
    func makeStorePlace() throws -> URL {
        let new = passingFolder
        let folder = desk.deletingLastPathComponent().appending(path: ".\(UUID().uuidString)\(Self.folderEnding)")
        try Self.makeFolder(new)
        do {
            try writeOwner(desk.lastPathComponent, of: new)
            try new.rename(to: folder)
        } catch {
            try? FileManager.default.removeItem(at: new)
            throw error
        }
        return folder.appending(path: Self.storeName)
    }

    /// Writes down that a store is this desk's and no other's.
    ///
    /// It survives a loss of power, as the note does: by the old owner's name the next opening of that document would take the store for one that was left.
    func take(_ store: URL) throws {
        let folder = store.deletingLastPathComponent()
        let isBeside = folder.deletingLastPathComponent().path == desk.deletingLastPathComponent().path
        try writeOwner(isBeside ? desk.lastPathComponent : desk.path, of: folder)
        let file = folder.appending(path: Self.ownerName)
        try file.synchronize()
        try StoreFile.synchronizeDirectory(of: file.path, engine: "document")
    }

    private func writeOwner(_ owner: String, of folder: URL) throws(DocumentError) {
        let file = folder.appending(path: Self.ownerName)
        do {
            try Data(owner.utf8).write(to: file, options: .atomic)
        } catch {
            throw .fileSystem(file, reason: FileFailure.reason(of: error))
        }
    }

    /// The desk that a folder says to be of; nil of one that says nothing, as folders of older versions.
    private static func owner(of folder: URL) -> URL? {
        guard let text = try? String(contentsOf: folder.appending(path: ownerName), encoding: .utf8), !text.isEmpty else { return nil }
        return text.hasPrefix("/") ? URL(filePath: text) : folder.deletingLastPathComponent().appending(path: text)
    }

    /// Whether a store that the note on a desk names is that desk's, and not of another one that is there.
    static func isStore(_ store: URL, of desk: URL) -> Bool {
        guard let owner = owner(of: store.deletingLastPathComponent()), !owner.isSame(as: desk) else { return true }
        // Who moves a folder moves the desk away from the name that a store elsewhere has for it.
        return !FileManager.default.fileExists(atPath: owner.path)
    }

    /// Removes a store that ``makeStorePlace()`` made a place for.
    func remove(store: URL) {
        let folder = store.deletingLastPathComponent()
        let gone = passingFolder
        // Elsewhere, as that of a document that was saved on another disk, the folder goes piece by piece.
        let isMoved = (try? folder.rename(to: gone)) != nil
        try? FileManager.default.removeItem(at: isMoved ? gone : folder)
    }

    /// Removes the stores of this desk that programs left which ended without closing the document, but for one that is gone on with.
    func removeStores(but kept: URL? = nil) {
        if let store, store != kept { remove(store: store) }
        if let place = placeWithoutFile, place.path != kept?.path { remove(store: place) }
        for store in ownStores where store.path != kept?.path { remove(store: store) }
        for name in Self.names(in: desk) where name.hasPrefix(Self.passingName) { try? FileManager.default.removeItem(at: desk.appending(path: name)) }
    }

    /// Where the store that is written down was in memory: there is a folder all the same, which may be anywhere.
    private var placeWithoutFile: URL? {
        guard let note = Self.note(on: desk), note.keepsFile == false else { return nil }
        let folder = URL(filePath: note.folder)
        guard Self.isFolder(folder.lastPathComponent) else { return nil }
        return Self.owner(of: folder)?.isSame(as: desk) == true ? folder.appending(path: Self.storeName) : nil
    }

    /// The stores beside this desk that say to be of it.
    private var ownStores: [URL] {
        let folder = desk.deletingLastPathComponent()
        return Self.names(in: folder).filter(Self.isFolder).map { folder.appending(path: $0) }
            .filter { Self.owner(of: $0)?.isSame(as: desk) == true }.map { $0.appending(path: Self.storeName) }
    }

    /// Throws where there are unsaved changes in a store that the note does not lead to, since it cannot be read, names another, or names one that is gone:
    /// nobody but the user may say that they are given up.
    ///
    /// Without a note there are none: it is there before the store is anybody's.
    func requireNothingLost() throws(DocumentError) {
        guard isMarked, hasNote, store == nil else { return }
        let stores = ownStores.map(\.path).filter { FileManager.default.fileExists(atPath: $0) }.sorted()
        if stores.isEmpty { return try requireStoreNotGone() }
        throw .fileSystem(
            desk,
            reason: "there are unsaved changes in \(stores.joined(separator: " or ")), but the note that should name it does not; "
                + "copy that store to keep them, and open the document with recovery: .discard")
    }

    static func names(in folder: URL) -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
}
