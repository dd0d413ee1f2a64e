import Foundation
import Synchronization

/// libedit's functions, found in the running program.
///
/// `@unchecked`: all pointers are functions and variables of a library that is never unloaded. The variables are touched by the one thread that reads lines,
/// within a call of `readline` or before it.
final class Libedit: @unchecked Sendable {
    private typealias Text = UnsafePointer<CChar>
    private typealias OwnedText = UnsafeMutablePointer<CChar>
    private typealias Generator = @convention(c) (Text?, CInt) -> OwnedText?
    private typealias Completer = @convention(c) (Text?, CInt, CInt) -> UnsafeMutablePointer<OwnedText?>?

    #if canImport(Darwin)
        private static let names = ["/usr/lib/libedit.dylib"]
    #else
        private static let names = ["libedit.so.2", "libedit.so.0"]
    #endif

    /// What stands for no character in a terminal's settings: `_POSIX_VDISABLE`.
    #if canImport(Darwin)
        private static let noCharacter: UInt8 = 0xFF
    #else
        private static let noCharacter: UInt8 = 0
    #endif

    /// The library; nil where it is not installed, or lacks something.
    static let installed = Libedit()

    /// What completion knows.
    let vocabulary = Mutex(ShellVocabulary())
    /// What the word that is being completed can become.
    private let candidates = Mutex<[String]>([])

    private let readline: @convention(c) (Text?) -> OwnedText?
    private let addHistory: @convention(c) (Text?) -> CInt
    private let readHistory: @convention(c) (Text?) -> CInt
    private let writeHistory: @convention(c) (Text?) -> CInt
    private let stifleHistory: @convention(c) (CInt) -> Void
    private let usingHistory: @convention(c) () -> Void
    private let matches: @convention(c) (Text?, Generator?) -> UnsafeMutablePointer<OwnedText?>?
    private let completer: UnsafeMutablePointer<Completer?>
    private let completionIsOver: UnsafeMutablePointer<CInt>
    private let typedLine: UnsafeMutablePointer<OwnedText?>
    /// What sets up libedit, and a line of its settings; nil in versions that lack them.
    private let initialize: (@convention(c) () -> CInt)?
    private let parse: (@convention(c) (Text?) -> CInt)?
    /// Whether control-C drops the line. Written before the first line is read.
    private var dropsLines = false

    private init?() {
        guard let handle = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? { dlsym(handle, name).map { unsafeBitCast($0, to: type) } }
        func variable<Value>(_ name: String, _ type: Value.Type) -> UnsafeMutablePointer<Value>? { dlsym(handle, name)?.assumingMemoryBound(to: type) }
        guard let readline = function("readline", (@convention(c) (Text?) -> OwnedText?).self),
            let addHistory = function("add_history", (@convention(c) (Text?) -> CInt).self),
            let readHistory = function("read_history", (@convention(c) (Text?) -> CInt).self),
            let writeHistory = function("write_history", (@convention(c) (Text?) -> CInt).self),
            let stifleHistory = function("stifle_history", (@convention(c) (CInt) -> Void).self),
            let usingHistory = function("using_history", (@convention(c) () -> Void).self),
            let matches = function("rl_completion_matches", (@convention(c) (Text?, Generator?) -> UnsafeMutablePointer<OwnedText?>?).self),
            let completer = variable("rl_attempted_completion_function", Completer?.self),
            let completionIsOver = variable("rl_attempted_completion_over", CInt.self), let typedLine = variable("rl_line_buffer", OwnedText?.self)
        else { return nil }
        (self.readline, self.addHistory, self.readHistory, self.writeHistory) = (readline, addHistory, readHistory, writeHistory)
        (self.stifleHistory, self.usingHistory, self.matches) = (stifleHistory, usingHistory, matches)
        initialize = function("rl_initialize", (@convention(c) () -> CInt).self)
        parse = function("rl_parse_and_bind", (@convention(c) (Text?) -> CInt).self)
        (self.completer, self.completionIsOver, self.typedLine) = (completer, completionIsOver, typedLine)
        completer.pointee = { word, start, _ in Libedit.installed?.complete(word, at: Int(start)) }
    }

    /// Lets control-C end the line that is typed, as the text `^C` alone: as a signal it would leave the line where it is.
    func dropLinesByControlC() {
        guard let parse, let initialize else { return }
        _ = initialize()
        // Control-U takes away what was typed.
        dropsLines = parse("bind -s '^C' '^U\\136C\\n'") == 0
    }

    /// Calls `body` while control-C is a character as others are.
    private func withoutInterrupt<Result>(_ body: () -> Result) -> Result {
        var settings = termios()
        guard dropsLines, tcgetattr(STDIN_FILENO, &settings) == 0 else { return body() }
        var other = settings
        withUnsafeMutableBytes(of: &other.c_cc) { $0[Int(VINTR)] = Self.noCharacter }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &other)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &settings) }
        return body()
    }

    /// Begins a history with what a file has.
    func beginHistory(_ path: String?, most: Int32) {
        usingHistory()
        stifleHistory(most)
        guard let path else { return }
        ShellHistory.make(path)
        _ = readHistory(path)
    }

    /// Adds a line to the history, and to its file.
    func remember(_ line: String, in path: String?) {
        _ = addHistory(line)
        if let path { _ = writeHistory(path) }
    }

    /// The line that a person types; nil at the end of input.
    func line(_ prompt: String) -> String? {
        guard let text = withoutInterrupt({ readline(prompt) }) else { return nil }
        // The text is the caller's to free.
        defer { free(text) }
        return String(cString: text)
    }

    /// What the word at a place of the line can become, as readline wants it.
    private func complete(_ word: Text?, at start: Int) -> UnsafeMutablePointer<OwnedText?>? {
        // Otherwise the names of files would be offered where nothing is found.
        completionIsOver.pointee = 1
        let line = typedLine.pointee.map { String(decoding: String(cString: $0).utf8.prefix(start), as: UTF8.self) } ?? ""
        let known = vocabulary.withLock { $0 }
        let found = known.completions(of: word.map { String(cString: $0) } ?? "", after: line)
        candidates.withLock { $0 = found }
        guard !found.isEmpty else { return nil }
        return matches(word) { _, number in
            // readline frees what it is given.
            Libedit.installed?.candidates.withLock { $0.indices.contains(Int(number)) ? strdup($0[Int(number)]) : nil }
        }
    }
}
