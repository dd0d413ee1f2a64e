import Foundation

/// Gathers what comes of a blob into the parts that transactions store.
struct BlobReceiver {
    private var hash = SHA256()
    private(set) var rest = Data()
    /// How much at the beginning of the rest has been given: it is taken away when more comes, so that a large piece is copied once.
    private var given = 0
    /// What has been stored.
    private(set) var upload: BlobUpload

    init(name: String) {
        upload = BlobUpload(number: .random(in: 0 ... .max), name: name, source: .stream, date: .now)
    }

    /// Takes bytes as they come.
    mutating func take(_ data: Data) {
        data.withUnsafeBytes { hash.update($0) }
        // A copy: what is removed at the beginning of `Data` keeps its memory.
        if given > 0 { rest = Data(rest.dropFirst(given)) }
        given = 0
        rest.append(data)
    }

    /// The next part to be stored before more is taken; nil while too little has come.
    mutating func nextPart() -> Data? {
        guard rest.count - given > BlobUpload.batchSize else { return nil }
        defer { given += BlobUpload.batchSize }
        return Data(rest.dropFirst(given).prefix(BlobUpload.batchSize))
    }

    mutating func stored(_ upload: BlobUpload) { self.upload = upload }

    /// The last part, and the hash of all.
    mutating func end() -> (part: Data, sha256: [UInt8]) { (Data(rest.dropFirst(given)), hash.finish()) }
}

extension ObjectStore {
    /// Stores bytes that arrive in pieces of any size under a name; they replace the blob there once all have arrived.
    ///
    /// ```swift
    /// let info = try store.setBlob(from: pieces, named: "film.mp4")
    /// print(info.size, info.sha256Text)
    /// ```
    ///
    /// Every 4 MiB are a transaction of their own, so memory does not grow with the size and other writers come in between. Until the last one nobody sees
    /// anything of it, and the blob that has the name stays. When the process ends before, or an error is thrown here, the parts are removed: at once, or when
    /// the next blob is stored so an hour later or more.
    ///
    /// - Parameter name: 1 to 511 bytes of UTF-8.
    /// - Returns: the size and the SHA-256 of what was stored, to be compared with those of its source.
    /// - Throws: ``StorageError/emptyKey(_:)``, ``StorageError/keyTooLarge(_:)``; ``TroveError/uploadGivenUp(name:)`` when no piece came for an hour and
    ///   another upload has cleared it away.
    @discardableResult
    public func setBlob(from pieces: some Sequence<Data>, named name: String, durability: Durability? = nil) throws -> BlobInfo {
        var iterator = pieces.makeIterator()
        return try setBlob(named: name, durability) { iterator.next() }
    }

    /// Stores bytes that arrive in pieces of any size under a name; they replace the blob there once all have arrived.
    ///
    /// ```swift
    /// let info = try await store.setBlob(from: request.body, named: "film.mp4")
    /// ```
    ///
    /// - Throws: what `pieces` throws; `CancellationError` when the task is cancelled. What had come by then is removed.
    @discardableResult
    public func setBlob<Pieces: AsyncSequence>(
        from pieces: Pieces, named name: String, durability: Durability? = nil
    ) async throws -> BlobInfo where Pieces.Element == Data {
        var receiver = BlobReceiver(name: name)
        do {
            for try await piece in pieces {
                receiver.take(piece)
                while let part = receiver.nextPart() {
                    let upload = receiver.upload
                    receiver.stored(try await write(durability) { try $0.store(part, of: upload) })
                }
            }
            try Task.checkCancellation()
            let (part, sha256) = receiver.end()
            let upload = receiver.upload
            return try await write(durability) { try $0.finish(upload, with: part, sha256) }
        } catch {
            let upload = receiver.upload
            // Not as a part of this task, which may be cancelled.
            if upload.size > 0 { await Task { await self.removeParts(of: upload) }.value }
            throw error
        }
    }

    /// Stores the content of a file as a blob and replaces the blob there.
    ///
    /// - Throws: ``StorageError/notAFile(_:)`` for a directory and when there is no file, ``StorageError/noSuchDirectory(_:)``,
    ///   ``StorageError/permissionDenied(_:)``, ``StorageError/inputOutput(_:)`` when it cannot be read; see also
    ///   ``setBlob(from:named:durability:)``.
    @discardableResult
    public func setBlob(contentsOf path: String, named name: String, durability: Durability? = nil) throws -> BlobInfo {
        let file = try TransferSource(path)
        return try setBlob(named: name, durability) { try file.next() }
    }

    /// Stores the content of a file as a blob, on the maintenance thread, which runs one task at a time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled. What had come by then is removed.
    @discardableResult
    public func setBlob(contentsOf path: String, named name: String, durability: Durability? = nil) async throws -> BlobInfo {
        try await maintenanceQueue.run { try self.setBlob(contentsOf: path, named: name, durability: durability) }
    }

    private struct ReplacedMeanwhile: Error {}

    /// Stores the content of a file as a blob in the place of one with a known hash; nil, and nothing stored, when by then there is another.
    ///
    /// - Parameter sha256Text: the hash of the blob that is there; nil for none.
    package func setBlob(contentsOf path: String, named name: String, replacing sha256Text: String?) throws -> BlobInfo? {
        let file = try TransferSource(path)
        do {
            return try setBlob(named: name, nil, isWanted: { try $0.blobInfo(named: name)?.sha256Text == sha256Text }) { try file.next() }
        } catch is ReplacedMeanwhile {
            return nil
        }
    }

    /// - Parameter isWanted: asked in the transaction that gives the blob its name.
    private func setBlob(
        named name: String, _ durability: Durability?, isWanted: (ReadTransaction) throws -> Bool = { _ in true }, _ next: () throws -> Data?
    ) throws -> BlobInfo {
        var receiver = BlobReceiver(name: name)
        // A task may wait for it elsewhere.
        let watch = ReadWatch()
        do {
            while let piece = try next() {
                try watch.look()
                receiver.take(piece)
                while let part = receiver.nextPart() {
                    receiver.stored(try write(durability) { try $0.store(part, of: receiver.upload) })
                }
            }
            let (part, sha256) = receiver.end()
            return try write(durability) { transaction in
                guard try isWanted(transaction) else { throw ReplacedMeanwhile() }
                return try transaction.finish(receiver.upload, with: part, sha256)
            }
        } catch {
            let upload = receiver.upload
            do {
                if upload.size > 0 { try write(.relaxed) { try $0.deleteUploads { $0.number == upload.number } } }
            } catch {
                // The error that led here is the one to tell; a later upload removes the parts.
            }
            throw error
        }
    }

    private func removeParts(of upload: BlobUpload) async {
        do {
            try await write(.relaxed) { try $0.deleteUploads { $0.number == upload.number } }
        } catch {
            // The error that led here is the one to tell; a later upload removes the parts.
        }
    }
}
