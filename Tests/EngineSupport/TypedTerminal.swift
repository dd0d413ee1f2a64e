import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A terminal with a program in it, before which the test sits as a person does: it types when it has seen what it waits for, and never by the clock.
public final class TypedTerminal {
    /// The program did not show what was waited for.
    public struct NotShown: Error, CustomStringConvertible {
        let expected: String
        let reason: String
        let screen: String

        public var description: String { "the terminal did not show '\(expected)': \(reason). It showed:\n\(screen)" }
    }

    /// How long a wait may take, in seconds.
    private static let patience = 120.0

    /// All that the program has shown so far, with plain ends of lines.
    public private(set) var screen = ""

    private let program: ChildProgram
    private let descriptor: Int32
    /// How much of the screen was waited for already.
    private var seen = 0
    private var bytes: [UInt8] = []

    /// Whether terminals can be made; not with C libraries that have `openpty` in one of their other files.
    public static var isAvailable: Bool { openTerminal != nil }

    /// Starts a program in a new terminal.
    ///
    /// - Parameters:
    ///   - columns: how wide it is.
    ///   - rows: how high it is.
    /// - Throws: a `POSIXError` when the system has no terminal or does not start the program.
    public init(_ program: URL, _ arguments: [String], columns: Int = 80, rows: Int = 24) throws {
        guard let openTerminal = Self.openTerminal else { throw POSIXError(.ENOSYS) }
        var (descriptor, device): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard openTerminal(&descriptor, &device, &name, nil, &size) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        for end in [descriptor, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The end that the program has would otherwise keep the terminal open after it. It opens the device by its name, which makes it its own.
        defer { close(device) }
        self.descriptor = descriptor
        do {
            let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            self.program = try ChildProgram(program, arguments, terminal: path)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private typealias OpenTerminal =
        @convention(c) (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<termios>?, UnsafeMutablePointer<winsize>?) -> Int32

    /// `openpty`, whose header Swift's modules of the C libraries do not have.
    private static let openTerminal: OpenTerminal? = {
        #if canImport(Darwin)
        let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
        #else
        let everywhere: UnsafeMutableRawPointer? = nil
        #endif
        return dlsym(everywhere, "openpty").map { unsafeBitCast($0, to: OpenTerminal.self) }
    }()

    deinit { close(descriptor) }

    /// Types keys, `"\u{3}"` for control-C, and waits until the program shows some texts, one behind the other.
    ///
    /// - Throws: as ``wait(for:)``.
    public func type(_ keys: String, until texts: String...) throws {
        try type(keys)
        for text in texts { try wait(for: text) }
    }

    /// Types keys.
    public func type(_ keys: String) throws {
        var rest = Array(keys.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Waits until the program shows a text, behind what was waited for before.
    ///
    /// - Throws: ``NotShown`` when it ends, or does not show it for two minutes.
    public func wait(for text: String) throws {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while true {
            let shown = screen.utf8.dropFirst(seen)
            if let range = shown.firstRange(of: text.utf8) {
                seen = screen.utf8.distance(from: screen.utf8.startIndex, to: range.upperBound)
                return
            }
            guard try readMore(text, until: deadline) else { throw NotShown(expected: text, reason: "the program ended, \(program.waitForEnd())", screen: screen) }
        }
    }

    /// Waits for the end of the program; returns how it ended.
    ///
    /// - Throws: ``NotShown`` when it has not ended in two minutes.
    public func waitForEnd() throws -> ChildProgram.End {
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while try readMore("its end", until: deadline) {}
        return program.waitForEnd()
    }

    /// Reads what the program shows next; false when it has left the terminal.
    private func readMore(_ expected: String, until deadline: Date) throws -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = poll(&waiting, 1, Int32(max(0, deadline.timeIntervalSinceNow) * 1_000))
        if ready < 0, errno == EINTR { return true }
        guard ready > 0, deadline.timeIntervalSinceNow > 0 else {
            program.kill()
            throw NotShown(expected: expected, reason: "it had \(Int(Self.patience)) s", screen: screen)
        }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &buffer, buffer.count)
        // Linux says that there is an error when the last program has left the terminal.
        guard count > 0 else { return count < 0 && errno == EINTR }
        bytes += buffer.prefix(count)
        screen = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        return true
    }
}
