import Foundation

/// A file that a transfer reads, piece by piece.
final class TransferSource {
    static let pieceSize = 1 << 20

    let path: String
    private let handle: FileHandle

    /// - Throws: ``StorageError/notAFile(_:)`` when there is none, ``StorageError/noSuchDirectory(_:)``, ``StorageError/permissionDenied(_:)``,
    ///   ``StorageError/inputOutput(_:)``.
    init(_ path: String) throws {
        self.path = path
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw TransferFile.error(error, path)
        }
    }

    deinit {
        // Nothing is lost where it fails: the file was only read.
        do { try handle.close() } catch {}
    }

    /// The next bytes, up to so many; nil at the end.
    ///
    /// - Throws: ``StorageError/inputOutput(_:)``.
    func next(upTo count: Int = pieceSize) throws -> Data? {
        do {
            let data = try handle.read(upToCount: count)
            return data?.isEmpty == true ? nil : data
        } catch {
            throw TransferFile.error(error, path)
        }
    }

    /// Goes to a place.
    func seek(to offset: Int) throws {
        do {
            try handle.seek(toOffset: UInt64(offset))
        } catch {
            throw TransferFile.error(error, path)
        }
    }
}

extension BlobInfo {
    /// The ``sha256Text`` of a file's bytes.
    ///
    /// - Throws: as opening a ``TransferSource``, and ``StorageError/inputOutput(_:)``.
    package static func sha256Text(ofFileAt path: String) throws -> String {
        let file = try TransferSource(path)
        var hash = SHA256()
        while let data = try file.next() { data.withUnsafeBytes { hash.update($0) } }
        return hash.finish().hexadecimal
    }
}
