import Foundation

/// A program of this package that tests start, which the build puts beside them.
public enum ProgramBesideTests {
    /// The program was not found.
    public struct Missing: Error, CustomStringConvertible {
        let name: String
        let places: [String]

        public var description: String { "there is no \(name) beside any of \(places); build the package's programs first" }
    }

    /// Where the program is.
    ///
    /// - Throws: ``Missing``.
    public static func named(_ name: String) throws -> URL {
        let starts = [CommandLine.arguments[0], Bundle.main.executablePath].compactMap { $0 } + Bundle.allBundles.map(\.bundlePath)
        for start in starts {
            let folder = URL(fileURLWithPath: start).resolvingSymlinksInPath().deletingLastPathComponent()
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        }
        throw Missing(name: name, places: starts)
    }
}
