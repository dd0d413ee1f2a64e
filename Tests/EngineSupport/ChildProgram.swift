import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A program that runs beside the tests. It inherits the three standard streams and no other descriptor.
///
/// Foundation's `Process` is not used on purpose: on Linux it learns of a child's end by a socket, which a child that another thread starts at
/// the same moment inherits. The wait for the first then lasts as long as the second, and two such waits end a run of tests on two cores.
public final class ChildProgram: Sendable {
    /// How a program ended.
    public enum End: Equatable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    public let identifier: pid_t
    /// Nil until the system has been asked for the end, and may give the number to another process.
    private let end = Mutex<End?>(nil)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - input: The descriptor that becomes its standard input; `/dev/null` when it is nil.
    ///   - output: The descriptor that becomes its standard output.
    ///   - errors: The descriptor that becomes its standard error; that of the tests otherwise.
    /// - Throws: A `POSIXError` when the system does not start it.
    public convenience init(_ program: URL, _ arguments: [String], input: Int32? = nil, output: Int32, errors: Int32 = STDERR_FILENO) throws {
        try self.init(program, arguments, startsSession: false) { actions in
            if let input {
                posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
            } else {
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            }
            posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        }
    }

    /// Starts a program as the first of a session whose terminal is the device at `terminal`, from which the three streams are.
    ///
    /// - Throws: A `POSIXError` when the system does not start it.
    public convenience init(_ program: URL, _ arguments: [String], terminal: String) throws {
        try self.init(program, arguments, startsSession: true) { actions in
            // The first device that such a process opens becomes its terminal, whose control-C is its signal.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        }
    }

    #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    #else
    private typealias FileActions = posix_spawn_file_actions_t
    #endif

    private init(_ program: URL, _ arguments: [String], startsSession: Bool, streams: (inout FileActions) -> Void) throws {
        #if canImport(Darwin)
        var actions: FileActions
        var attributes: posix_spawnattr_t?
        #else
        var actions = FileActions()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        streams(&actions)
        // Threads of tests block signals, and a shell that cannot be told of the end of its children waits for ever.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // Whoever runs the tests in the background lets them ignore some signals, and a shell cannot undo that: what a terminal sends, and the end of who reads a pipe.
        var notIgnored = sigset_t()
        sigemptyset(&notIgnored)
        for number in [SIGINT, SIGQUIT, SIGHUP, SIGPIPE] { sigaddset(&notIgnored, number) }
        posix_spawnattr_setsigdefault(&attributes, &notIgnored)
        #if canImport(Darwin)
        let session = startsSession ? POSIX_SPAWN_SETSID : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT | session))
        #else
        let session = startsSession ? Self.setSession : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session))
        #endif
        #if canImport(Glibc)
        _ = Self.addCloseFrom?(&actions, STDERR_FILENO + 1)
        #endif
        var environment = ProcessInfo.processInfo.environment
        // A crash is reported by its signal; a symbolicated trace would take seconds for each.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        var argumentList = ([program.path] + arguments).map { strdup($0) } + [nil]
        var environmentList = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argumentList + environmentList { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, program.path, &actions, &attributes, &argumentList, &environmentList)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL, userInfo: [NSFilePathErrorKey: program.path]) }
        identifier = child
    }

    #if !canImport(Darwin)
    /// `POSIX_SPAWN_SETSID`, which both C libraries show to programs that ask for their extensions only.
    private static let setSession: Int32 = 0x80
    #endif

    #if canImport(Glibc)
    /// `posix_spawn_file_actions_addclosefrom_np`, which the C library has since its version 2.34 and Swift's module of it does not show.
    private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
    }
    #endif

    /// Ends the program when it still runs.
    deinit {
        kill()
        waitForEnd()
    }

    /// Ends the program by `SIGKILL`; nothing happens when it has ended.
    public func kill() {
        end.withLock { end in
            guard end == nil else { return }
            #if canImport(Glibc)
            _ = Glibc.kill(identifier, SIGKILL)
            #elseif canImport(Musl)
            _ = Musl.kill(identifier, SIGKILL)
            #else
            _ = Darwin.kill(identifier, SIGKILL)
            #endif
        }
    }

    /// Waits until the program has ended. Any number of threads may wait, and any number of times.
    @discardableResult
    public func waitForEnd() -> End {
        if let end = end.withLock({ $0 }) { return end }
        // Leaves the number with the child, so that a `kill` meanwhile reaches nobody else.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return end.withLock { end in
            if let end { return end }
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let found: End = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
            end = found
            return found
        }
    }
}
