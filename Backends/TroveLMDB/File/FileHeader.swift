import TroveBackendKit
import TroveStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The two meta pages of a file, checked so far that LMDB can open it.
struct FileHeader {
    let pages: [MetaPage]
    let fileSize: Int

    /// The page of the current state.
    var newest: MetaPage { pages[0].transaction < pages[1].transaction ? pages[1] : pages[0] }

    /// Reads and checks the meta pages.
    ///
    /// - Throws: ``StorageError/notAStore(_:)`` when the file is not LMDB's, ``StorageError/newerFormat(_:)``, ``StorageError/corrupt(_:)``.
    init(descriptor: Int32, errors: LMDBErrors) throws {
        // A damaged number could pass the older state off as the current one, and the last commit would be gone. But a writer in
        // another process may commit between the reads of the two pages, so one look is not enough.
        var failure = errors.corrupt("its first two pages have states that do not follow each other")
        for _ in 0..<Self.looks {
            do {
                let header = try FileHeader(lookingAt: descriptor, errors: errors)
                if header.isInSequence {
                    self = header
                    return
                }
            } catch let error as StorageError where error.suspectsCorruption {
                // A page may also be half old and half new while it is written.
                failure = error
            }
        }
        throw failure
    }

    private static let looks = 100

    private init(lookingAt descriptor: Int32, errors: LMDBErrors) throws {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else {
            throw StoreFile.error(errno, engine: LMDBErrors.engine, path: errors.path)
        }
        fileSize = Int(information.st_size)
        let size = FileLayout.pageSizes.upperBound + FileLayout.pageHeader + FileLayout.metaSize
        let start = try StoreFile.bytes(of: descriptor, at: 0, count: size, engine: LMDBErrors.engine, path: errors.path)
        guard Self.isMeta(start, at: 0) else {
            // Whoever finds a second meta page knows that the first one was one.
            let sizes = sequence(first: FileLayout.pageSizes.lowerBound) { $0 * 2 }.prefix { $0 <= FileLayout.pageSizes.upperBound }
            guard sizes.contains(where: { Self.isMeta(start, at: $0) }) else {
                let advice = EngineFile(beginning: start) == .lmdb ? "copy the store with Trove on a machine of that kind" : EngineFile.advice(on: start)
                throw StorageError.notAStore(errors.details("the file was not written by LMDB on this kind of machine; \(advice)"))
            }
            throw errors.corrupt("its first page is not a header")
        }
        let pageSize = try Self.page(0, in: start, at: 0, fileSize: fileSize, errors).pageSize
        guard start.count >= pageSize + FileLayout.pageHeader + FileLayout.metaSize else {
            throw errors.corrupt("it ends after \(start.count) bytes, inside its header")
        }
        guard Self.isMeta(start, at: pageSize) else { throw errors.corrupt("its second page is not a header") }
        pages = [
            try Self.page(0, in: start, at: 0, fileSize: fileSize, errors),
            try Self.page(1, in: start, at: pageSize, fileSize: fileSize, errors),
        ]
        guard pages[1].pageSize == pageSize else { throw errors.corrupt("its first two pages disagree about the page size") }
    }

    /// Whether the two states follow each other. A new store has number 0 in both.
    private var isInSequence: Bool {
        let (first, second) = (pages[0].transaction, pages[1].transaction)
        return max(first, second) - min(first, second) == (first == second ? 0 : 1)
    }

    private static func isMeta(_ bytes: [UInt8], at offset: Int) -> Bool {
        guard bytes.count >= offset + FileLayout.pageHeader + 4 else { return false }
        return bytes.withUnsafeBytes { bytes in
            bytes.loadUnaligned(fromByteOffset: offset + FileLayout.pageHeader, as: UInt32.self) == FileLayout.magic
                && bytes.loadUnaligned(fromByteOffset: offset + FileLayout.pageFlags, as: UInt16.self) == FileLayout.metaFlag
        }
    }

    private static func page(_ number: Int, in bytes: [UInt8], at offset: Int, fileSize: Int, _ errors: LMDBErrors) throws -> MetaPage {
        let start = offset + FileLayout.pageHeader
        guard bytes.count >= start + FileLayout.metaSize else {
            throw errors.corrupt("it ends after \(bytes.count) bytes, inside its header")
        }
        return try bytes.withUnsafeBytes { bytes in
            let version = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            // A format after 1 is small or, in development versions, 999; anything else is damage.
            if version != FileLayout.version {
                guard (2...999).contains(version) else { throw errors.corrupt("page \(number) has the impossible version \(version)") }
                throw StorageError.newerFormat(
                    errors.details("the file has LMDB's format \(version), this library reads format \(FileLayout.version); use a newer one"))
            }
            let page = MetaPage(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            if let fault = page.fault(number: number, fileSize: fileSize) { throw errors.corrupt("in page \(number) \(fault)") }
            return page
        }
    }
}
