import Foundation

extension Engine {
    /// The name as commands take it: `sqlite`, `lmdb`, `tokyocabinet`, `memory`.
    public var argument: String { Self.argument(rawValue) }

    private static func argument(_ name: String) -> String { name.lowercased().filter(\.isLetter) }

    /// Those of `engines` that an environment variable names, in any spelling; all when it names none of them, so that a wrong name does
    /// not make tests pass by doing nothing.
    public static func chosen(by variable: String, of engines: [Engine] = Engine.allCases) -> [Engine] {
        let names = (ProcessInfo.processInfo.environment[variable] ?? "").split(separator: ",").map { argument(String($0)) }
        let chosen = engines.filter { names.contains($0.argument) }
        return chosen.isEmpty ? engines : chosen
    }
}
