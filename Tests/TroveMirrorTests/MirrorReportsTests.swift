import Foundation
import Synchronization
import TestSupport
import Testing
import Trove
import TroveBackendKit

@testable import TroveMirror

/// What `reports()` tells, and what wakes it.
@Suite struct MirrorReportsTests {
    /// What waits is told once, and again when something else waits.
    @Test func newsOfReports() {
        func report(_ conflicts: [String] = [], _ problems: [String] = [], written: [String] = []) -> MirrorReport {
            var report = MirrorReport()
            report.conflicts = conflicts.map { .init(object: .init(model: "Song", id: $0), properties: ["title"], file: nil) }
            report.problems = problems.map { .init(file: $0, reason: "it cannot be written") }
            report.written = written
            return report
        }
        #expect(report().isNews(after: nil) && !report().isNews(after: report()))
        #expect(!report(["1"], ["a"]).isNews(after: report(["1"], ["a"])))
        #expect(report(["1"], ["a"]).isNews(after: report(["1"], ["b"])) && report(["1", "2"], ["a"]).isNews(after: report(["1"], ["a"])))
        #expect(report(["1"], ["a"], written: ["x"]).isNews(after: report(["1"], ["a"], written: ["x"])))
        // What has been solved is no news; that nothing waits for a file any more is.
        #expect(!report().isNews(after: report(["1"], written: ["x"])) && report().isNews(after: report([], ["a"])))
        var twice = report(["1"], ["a"], written: ["x"])
        twice.add(report(["1", "2"], ["a"]))
        #expect(twice == report(["1", "2"], ["a"], written: ["x"]))
    }

    /// A conflict waits for a file that cannot be written.
    @Test(arguments: Engine.allCases) func aConflictThatWaitsIsToldOnce(engine: Engine) async throws {
        let fixture = try MirrorFixture(engine)
        let (store, mirror) = (fixture.store, fixture.mirror)
        try await store.save(Song(id: 1, title: "a"))
        try await store.save(Line(id: 1, text: "line"))
        try await mirror.synchronize()
        try await store.save(Song(id: 1, title: "store"))
        try fixture.edit("Song/1.json", "\"a\"", "\"file\"")
        // The first file of the run is one of another folder, and what lost is written alone, before.
        for number in 1...9 { try fixture.write("", "Song/.trove-writing-\(number)/x") }
        try await store.save(Line(id: 2, text: "line"))
        #expect(try await mirror.synchronize().conflicts.map(\.file) == ["Song/1.conflict.json"])
        try fixture.write("", "Song/.trove-writing-0/x")
        var reports = mirror.reports(every: .zero).makeAsyncIterator()
        let first = try #require(try await reports.next())
        #expect(first.problems.map(\.file) == ["Song/1.json"] && first.conflicts.map(\.file) == ["Song/1.conflict.json"], "\(first)")
        for line in 3...6 {
            try await store.save(Line(id: line, text: "line"))
            // Behind each of them is a run that does nothing, woken by the file.
            let report = try #require(try await reports.next())
            #expect(report.written == ["Line/\(line).json"] && report.conflicts == first.conflicts, "\(report)")
        }
        #expect(fixture.exists("Line/6.json"))
    }

    #if os(Linux)
    /// A file that cannot take its place wakes no run; those that others write do, and new permissions.
    @Test func itsOwnFilesAreNoNews() throws {
        let folder = try TemporaryDirectory()
        let directory = URL(filePath: folder.file("songs"))
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        defer { close(descriptor) }
        #expect(DirectoryWatch.watch(directory.path, descriptor) && DirectoryWatch.watch(directory.path, descriptor))
        let long = directory.appending(path: String(repeating: "n", count: 300) + ".json")
        for _ in 0..<2 {
            guard case .failed = try DirectoryFiles.write([(long, Data("{}".utf8))], mode: 0o600)[0] else { throw MirrorFixture.Missing(what: "a failure") }
            #expect(!DirectoryWatch.hasNews(descriptor))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        let file = directory.appending(path: "1.json")
        guard case .written = try DirectoryFiles.write([(file, Data("{}".utf8))], mode: 0o600)[0] else { throw MirrorFixture.Missing(what: "a file") }
        #expect(DirectoryWatch.hasNews(descriptor) && !DirectoryWatch.hasNews(descriptor))
        chmod(file.path, 0o640)
        #expect(DirectoryWatch.hasNews(descriptor))
        try FileManager.default.removeItem(at: file)
        #expect(DirectoryWatch.hasNews(descriptor))
        rmdir(directory.path)
        #expect(DirectoryWatch.hasNews(descriptor))
        withExtendedLifetime(folder) {}
    }
    #endif

    /// Notes reads on threads that tasks run on, of which there are as many as processors.
    private final class Watched: ForwardingBackend {
        let wrappedBackend: any StorageBackend
        private let state: State

        final class State: Sendable {
            private let reads = Mutex<(isWatched: Bool, count: Int, inTasks: Int)>((false, 0, 0))

            var count: Int { reads.withLock { $0.count } }

            /// The number of reads in tasks from now on.
            func begin() { reads.withLock { $0 = (true, 0, 0) } }

            func end() -> Int {
                reads.withLock { reads in
                    reads.isWatched = false
                    return reads.inTasks
                }
            }

            func note(isInTask: Bool) {
                reads.withLock { reads in
                    guard reads.isWatched else { return }
                    reads.count += 1
                    if isInTask { reads.inTasks += 1 }
                }
            }
        }

        init(_ backend: any StorageBackend, _ state: State) { (wrappedBackend, self.state) = (backend, state) }

        func read(_ body: (any StorageReader) throws -> Void) throws {
            state.note(isInTask: withUnsafeCurrentTask { $0 != nil })
            try wrappedBackend.read(body)
        }
    }

    @Test(arguments: Engine.allCases) func tasksDoNotReadTheStore(engine: Engine) async throws {
        let state = Watched.State()
        let base = try StoreFixture(engine) { try ObjectStore(Watched($0, state), durability: .relaxed, models: Song.self) }
        try await base.store.save(Song(id: 1, title: "a"))
        let folder = try TemporaryDirectory()
        let mirror = try StoreMirror(base.store, at: URL(filePath: folder.file("mirror")))
        state.begin()
        var reports = mirror.reports(every: .zero).makeAsyncIterator()
        #expect(try await reports.next()?.written == ["Song/1.json"])
        let first = state.count
        try await waitUntil("looks at the store") { state.count >= first + 5 }
        #expect(state.end() == 0)
        withExtendedLifetime((base, folder)) {}
    }
}
