import Foundation

/// The memory of this process at one moment, in bytes.
struct MemoryUse: Sendable {
    /// What is in memory, files mapped into it included.
    var resident = 0
    /// What is in memory and of no file.
    var privateBytes = 0
    /// The most that was in memory since the process began, or since ``resetPeak()`` where the system has it.
    var peak = 0

    /// Reads the figures; on Linux all of them, elsewhere the peak alone, which then serves for the others.
    static func current() -> MemoryUse {
        #if os(Linux)
        var use = MemoryUse()
        guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return use }
        for line in String(decoding: status, as: UTF8.self).split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 3, words[2] == "kB", let kibibytes = Int(words[1]) else { continue }
            switch words[0] {
            case "VmRSS:": use.resident = kibibytes << 10
            case "RssAnon:": use.privateBytes = kibibytes << 10
            case "VmHWM:": use.peak = kibibytes << 10
            default: break
            }
        }
        return use
        #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        let peak = Int(usage.ru_maxrss)
        return MemoryUse(resident: peak, privateBytes: peak, peak: peak)
        #endif
    }

    /// Makes ``peak`` begin anew, where the system can do that.
    static func resetPeak() throws {
        #if os(Linux)
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        #endif
    }
}
