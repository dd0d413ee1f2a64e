#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A small file beside a store that says: the pages of this state of the store were checked, and nobody has written the file since.
///
/// Checking every page takes time with the size of the file. Whoever closes a store that was checked leaves a mark with what the system tells of the file then:
/// its identity, size, times and the number of the engine's state. The next opening compares, and checks nothing when all is as it was. Any write changes one
/// of these, whoever makes it; a copy has another identity.
///
/// The mark counts until the machine starts again: then nothing tells what a loss of power has taken of the file, and it is checked once more. So nothing has
/// to be synced for it. A bit that a disk turns by itself while the machine runs is not noticed by it.
public struct CheckedMark: Sendable {
    /// How much of a file was checked.
    public enum Extent: UInt64, Sendable, Comparable {
        /// The pages that lead to entries.
        case branchPages = 1
        /// Every page.
        case everyPage = 2

        public static func < (left: Extent, right: Extent) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the name of the file ends with, behind the store's.
    public static let ending = "-checked"

    private static let magic = UInt64(littleEndian: 0x3174_6b63_6876_7254)

    /// All that has to be the same, and last a sum of it.
    private let words: [UInt64]

    /// The mark of an open file as it is now; nil when the system does not tell enough.
    private init?(_ facts: FileFacts?, state: UInt64, extent: Extent) {
        guard let boot = BootIdentity.current, let facts else { return nil }
        let words = [Self.magic, boot.0, boot.1] + facts.words + [state, extent.rawValue]
        self.words = words + [Self.sum(words)]
    }

    /// How much of the state of an open file was checked, by the mark beside it; nil when there is none that is of this state.
    public static func extent(of descriptor: Int32, at path: String, state: UInt64) -> Extent? {
        let found = read(path + ending)
        guard found.count == Self.count, found.last == sum(found.dropLast()), let extent = Extent(rawValue: found[Self.count - 2]) else { return nil }
        return CheckedMark(FileFacts(of: descriptor), state: state, extent: extent)?.words == found ? extent : nil
    }

    /// Leaves a mark beside the store at `path`, whose file nobody in this process writes any more. Where none can be left, the next opening checks the pages.
    ///
    /// A file of less than 8 MiB gets none, since checking it takes no longer than what follows.
    ///
    /// The system's times have steps of some milliseconds. A file that was written in the present one could be written again without
    /// another time, so this waits for the next step.
    ///
    /// - Parameters:
    ///   - descriptor: of the store's file.
    ///   - state: the number of the engine's state, where it has one.
    public static func leave(for descriptor: Int32, at path: String, state: UInt64, extent: Extent) {
        guard let facts = FileFacts(of: descriptor), facts.size >= leastSize, self.extent(of: descriptor, at: path, state: state) != extent else { return }
        var attempts = mostAttempts
        while !facts.areOfAnEarlierStep {
            guard attempts > 0 else { return }
            attempts -= 1
            usleep(1_000)
        }
        guard FileFacts(of: descriptor) == facts else { return }
        CheckedMark(facts, state: state, extent: extent)?.write(to: path + ending, readableAs: descriptor)
    }

    /// Less is checked in a few milliseconds.
    private static let leastSize = 8 << 20
    /// How many milliseconds are waited for the next step: more than the longest that is common.
    private static let mostAttempts = 25

    /// - Parameter store: of the store's file: who may not read that may not read what is beside it.
    private func write(to path: String, readableAs store: Int32) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return }
        var ofStore = stat()
        if fstat(store, &ofStore) == 0 { fchmod(descriptor, ofStore.st_mode & 0o666) }
        // Of a mark that was written in part the sum is wrong.
        words.withUnsafeBytes { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    private static let count = 13

    private static func read(_ path: String) -> [UInt64] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var words = [UInt64](repeating: 0, count: count)
        let size = count * MemoryLayout<UInt64>.stride
        return words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, size, 0) } == size ? words : []
    }

    /// A sum that a mark of which a part was written does not have: the mixing of SplitMix64, word by word.
    private static func sum(_ words: some Sequence<UInt64>) -> UInt64 {
        words.reduce(0x9E37_79B9_7F4A_7C15) { sum, word in
            var mixed = (sum ^ word) &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}

/// What the system tells of a file.
private struct FileFacts: Equatable {
    let words: [UInt64]
    let size: Int
    private let changed: timespec
    private let altered: timespec

    init?(of descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return nil }
        #if canImport(Darwin)
        (changed, altered) = (information.st_mtimespec, information.st_ctimespec)
        #else
        (changed, altered) = (information.st_mtim, information.st_ctim)
        #endif
        size = Int(information.st_size)
        words =
            [UInt64(truncatingIfNeeded: information.st_dev), UInt64(truncatingIfNeeded: information.st_ino), UInt64(truncatingIfNeeded: size)]
            + [changed.tv_sec, changed.tv_nsec, altered.tv_sec, altered.tv_nsec].map { UInt64(truncatingIfNeeded: $0) }
    }

    /// Whether a write from now on gives the file another time.
    var areOfAnEarlierStep: Bool {
        var now = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_REALTIME, &now)
        #else
        // The clock that files' times are taken from.
        clock_gettime(CLOCK_REALTIME_COARSE, &now)
        #endif
        func isBefore(_ time: timespec) -> Bool { (time.tv_sec, time.tv_nsec) < (now.tv_sec, now.tv_nsec) }
        return isBefore(changed) && isBefore(altered)
    }

    static func == (left: FileFacts, right: FileFacts) -> Bool { left.words == right.words }
}

/// The number that a machine has from one start to the next.
private enum BootIdentity {
    /// Nil where the system does not tell it.
    static let current: (UInt64, UInt64)? = {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.prefix(32)
        guard digits.count == 32, let high = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits.dropFirst(16), as: UTF8.self), radix: 16)
        else { return nil }
        return (high, low)
    }()

    private static var text: String {
        var bytes = [UInt8](repeating: 0, count: 64)
        #if canImport(Darwin)
        var size = bytes.count
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return "" }
        #else
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        let size = max(0, pread(descriptor, &bytes, bytes.count, 0))
        #endif
        return String(decoding: bytes.prefix(size).prefix { $0 > 0x20 }, as: UTF8.self)
    }
}
