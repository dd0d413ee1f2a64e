import Foundation
import IndexStoreReader

/// What the compiler noted of the library's sources when it built them for these tests.
struct CompilerIndex {
    private(set) var definitions: [Symbol: SourcePlace] = [:]
    private(set) var uses: [SymbolUse] = []
    private let root: String

    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the index of a module whose files are below `root`.
    init(module: String, root: URL) throws {
        self.root = root.path + "/"
        let store = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "index/store").path
        guard FileManager.default.fileExists(atPath: store) else {
            throw Unreadable(description: "there is no index at \(store); build with 'swift build --build-tests', which writes it")
        }
        let failure = withUnsafeMutablePointer(to: &self) { index in
            read_index_store(Self.library, store, module, index) { context, occurrence in
                context?.assumingMemoryBound(to: CompilerIndex.self).pointee.add(occurrence!.pointee)
            }
        }
        if let failure { throw Unreadable(description: "the index at \(store) cannot be read: \(String(cString: failure))") }
    }

    private mutating func add(_ occurrence: index_occurrence) {
        let path = Self.text(occurrence.file, occurrence.file_length)
        // The index keeps files that have been removed since.
        guard path.hasPrefix(root), FileManager.default.fileExists(atPath: path) else { return }
        let place = SourcePlace(file: String(path.dropFirst(root.count)), line: Int(occurrence.line))
        let symbol = Self.text(occurrence.symbol, occurrence.symbol_length)
        if occurrence.is_definition {
            definitions[symbol] = place
        } else {
            uses.append(SymbolUse(symbol: symbol, name: Self.text(occurrence.name, occurrence.name_length), place: place))
        }
    }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The library that reads the index, beside the compiler.
    private static var library: String {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        #if canImport(Darwin)
        let name = "libIndexStore.dylib"
        #else
        let name = "libIndexStore.so"
        #endif
        for directory in directories {
            let compiler = URL(filePath: "\(directory)/swift").resolvingSymlinksInPath()
            let library = compiler.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib/\(name)")
            if FileManager.default.fileExists(atPath: library.path) { return library.path }
        }
        return name
    }
}
