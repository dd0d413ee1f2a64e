#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the processes of a series have begun and acknowledged, in a mapped file outside the store.
///
/// The mapping is shared, so what a process wrote is there when it is killed, down to the last instruction. Each transaction has a slot,
/// as in rocksdb's `expected_value.h`: it is pending before the body changes anything, and acknowledged when `write` has returned.
///
/// `@unchecked Sendable`: a slot is written by the one task or thread whose transactions it is for, as one aligned word; the
/// figures before the slots by one thread each. Processes follow one another, or have a writer's slots and figures each.
final class Oracle: @unchecked Sendable {
    static let writerCount = 8
    static let slotsPerWriter = 512
    private static let firstSlot = 16
    private static let wordCount = firstSlot + writerCount * slotsPerWriter

    private let words: UnsafeMutablePointer<UInt64>

    /// Makes the file, or takes over what is in it, all zero.
    init(path: String) throws {
        let size = Self.wordCount * 8
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0,
            let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), start != MAP_FAILED
        else { throw ContentsError("the oracle \(path) cannot be made: \(String(cString: strerror(errno)))") }
        close(descriptor)
        words = start.bindMemory(to: UInt64.self, capacity: Self.wordCount)
    }

    deinit { munmap(words, Self.wordCount * 8) }

    /// Forgets everything, for a new series.
    func reset() { words.update(repeating: 0, count: Self.wordCount) }

    // MARK: Figures

    private func figure(_ index: Int) -> Int { Int(words[index]) }
    private func setFigure(_ index: Int, _ value: Int) { words[index] = UInt64(value) }

    /// Whether the process has opened the store and begun to write.
    var isWriting: Bool {
        get { figure(0) != 0 }
        set { setFigure(0, newValue ? 1 : 0) }
    }

    /// Whether the process has come through the window it was to be killed in.
    var hasOutlivedWindow: Bool {
        get { figure(1) != 0 }
        set { setFigure(1, newValue ? 1 : 0) }
    }

    /// The transactions up to this one are safe from a power loss: they were synchronized, or the store was closed.
    var synchronizedCount: Int {
        get { figure(2) }
        set { setFigure(2, newValue) }
    }

    /// The transactions up to this one were seen after a kill, and kills cannot lose them any more.
    var seenCount: Int {
        get { figure(3) }
        set { setFigure(3, newValue) }
    }

    /// The transactions that a finished backup or copy holds at the least; 0 when there is none.
    var copiedCount: Int {
        get { figure(4) }
        set { setFigure(4, newValue) }
    }

    /// How many storage operations the process has made since they were counted.
    var operationCount: Int {
        get { figure(5) }
        set { setFigure(5, newValue) }
    }

    /// Whether the process is to fail before it writes anything.
    var refusesToWrite: Bool {
        get { figure(7) != 0 }
        set { setFigure(7, newValue ? 1 : 0) }
    }

    /// Whether transactions are to be acknowledged before they are committed, which is wrong.
    var believesEarly: Bool {
        get { figure(6) != 0 }
        set { setFigure(6, newValue ? 1 : 0) }
    }

    // MARK: Figures of several processes

    /// Whether those that were to be killed have been, so that the others come to their end.
    var killsAreOver: Bool {
        get { figure(8) != 0 }
        set { setFigure(8, newValue ? 1 : 0) }
    }

    /// One more than the transactions that a process's finished backup holds at the least; 0 when there is none.
    func backupCount(of process: Int) -> Int { figure(9 + process) }
    func setBackupCount(_ count: Int, of process: Int) { setFigure(9 + process, count) }

    // MARK: Slots

    /// The slot of a writer's transaction.
    subscript(writer: Int, number: Int) -> OracleSlot {
        get { OracleSlot(word: words[Self.firstSlot + writer * Self.slotsPerWriter + number]) }
        set { words[Self.firstSlot + writer * Self.slotsPerWriter + number] = newValue.word }
    }

    /// The number of the writer's first transaction that was never begun; `slotsPerWriter` when there is none.
    func nextNumber(of writer: Int) -> Int {
        (0..<Self.slotsPerWriter).last { self[writer, $0].state != .unused }.map { $0 + 1 } ?? 0
    }

    /// All slots that are in use.
    var slots: [OracleSlot] {
        (0..<Self.writerCount).flatMap { writer in
            (0..<Self.slotsPerWriter).map { self[writer, $0] }.filter { $0.state != .unused }
        }
    }

    /// The highest number of an acknowledged transaction that fulfils a condition; 0 when there is none.
    func lastAcknowledged(_ isMeant: (OracleSlot) -> Bool = { _ in true }) -> Int {
        slots.filter { $0.state == .acknowledged && isMeant($0) }.map(\.sequence).max() ?? 0
    }

    /// Takes down what a check has found: the transactions up to `count` are there, no others.
    func settle(count: Int) {
        for writer in 0..<Self.writerCount {
            for number in 0..<Self.slotsPerWriter {
                var slot = self[writer, number]
                switch slot.state {
                case .unused, .takenBack, .lost, .found: continue
                case .pending: slot.state = slot.sequence <= count ? .found : .lost
                case .acknowledged: if slot.sequence > count { slot.state = .lost }
                }
                self[writer, number] = slot
            }
        }
        seenCount = count
        synchronizedCount = min(synchronizedCount, count)
    }
}
