import Foundation
import TestSupport
import Testing

@testable import Trove

/// Keeps the folder complete.
@Suite struct GoldenStoreMaker {
    /// Every format that a store can have has its stores. `TROVE_GOLDEN=1` writes those of the present format first, when it has none.
    @Test func everyFormatHasStores() throws {
        #expect(GoldenStores.formats == Array(1...StoreHeader.currentFormat), "a new format: add it to the list and run make golden")
        for engine in Engine.persistent {
            let file = GoldenStores.file(engine, format: StoreHeader.currentFormat)
            if ProcessInfo.processInfo.environment["TROVE_GOLDEN"] != nil, !FileManager.default.fileExists(atPath: file.path) {
                try write(engine, to: file)
            }
            for format in GoldenStores.formats {
                let path = GoldenStores.file(engine, format: format).path
                #expect(FileManager.default.fileExists(atPath: path), "\(path) is missing")
            }
        }
    }

    private func write(_ engine: Engine, to file: URL) throws {
        let directory = try TemporaryDirectory()
        try GoldenContents.writeAll { try GoldenStores.openSmall(engine, directory.file()) }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: directory.file(), toPath: file.path)
    }
}
