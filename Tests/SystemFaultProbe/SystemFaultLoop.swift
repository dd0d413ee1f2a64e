import FailingCalls
import Foundation
import TestSupport
import Trove

/// Lets the first, second, third … system call of an operation fail.
struct SystemFaultLoop {
    /// Whether every call is tried, as `make faults` does; otherwise ever fewer of the later ones.
    private static let isComplete = ProcessInfo.processInfo.environment["TROVE_FAULTS"] == "all"

    let engine: Engine
    let operation: EngineOperation
    let fault: SystemFault
    private let directory: TemporaryDirectory
    private let before: [String: [[UInt8]]]
    private let after: [String: [[UInt8]]]

    /// What went wrong, for the test that started the process.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    init(_ engine: Engine, _ operation: EngineOperation, _ fault: SystemFault) throws {
        (self.engine, self.operation, self.fault) = (engine, operation, fault)
        directory = try TemporaryDirectory()
        let backend = try engine.open(directory.file("template"))
        if operation != .making { try EngineOperation.fill(backend) }
        before = try Self.contents(backend)
        try backend.close()
        let path = try Self.place(directory, "after")
        let copy = try engine.open(path)
        try operation.run(copy, copy: path + "-copy")
        after = try Self.contents(copy)
        try copy.close()
    }

    /// Returns the number of calls that failed.
    func run() throws -> Int {
        var number = 1
        var tried = 0
        var passed = 0
        // Of all calls only writes can be cut short, so one that passed is not the last then.
        while passed < (fault == .shortWrite ? 8 : 1) {
            let hasFailed = try attempt(number)
            (tried, passed) = hasFailed ? (tried + 1, 0) : (tried, passed + 1)
            // Large operations write hundreds of pages, each as the one before.
            number += Self.isComplete ? 1 : 1 + number / 4
        }
        return tried
    }

    /// A copy of the template in a directory of its own.
    private static func place(_ directory: TemporaryDirectory, _ name: String) throws -> String {
        let folder = directory.file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path) where file.hasPrefix("template") {
            try FileManager.default.copyItem(atPath: directory.file(file), toPath: folder + "/store" + file.dropFirst("template".count))
        }
        return folder + "/store"
    }

    /// Returns whether a call failed.
    private func attempt(_ number: Int) throws -> Bool {
        let name = "attempt\(number)"
        let path: String
        if operation == .making {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: true)
            path = directory.file(name) + "/store"
        } else {
            path = try Self.place(directory, name)
        }
        var backend: (any StorageBackend)?
        if operation != .opening && operation != .making { backend = try engine.open(path) }
        fault.arm(number)
        var failure: (any Error)?
        do {
            if backend == nil { backend = try engine.open(path) }
            try backend.map { try operation.run($0, copy: path + "-copy") }
        } catch {
            failure = error
        }
        let (failed, call) = (failing_calls_failed(), String(cString: failing_calls_first()))
        failing_calls_disarm()
        do {
            try check(path, backend, failure, call)
        } catch {
            throw Problem(description: "\(engine), \(operation), \(fault) at call \(number) (\(call)): \(error); the operation: \(failure.map { "\($0)" } ?? "no error")")
        }
        try FileManager.default.removeItem(atPath: directory.file(name))
        return failed > 0
    }

    private func check(_ path: String, _ backend: (any StorageBackend)?, _ failure: (any Error)?, _ call: String) throws {
        if let failure, !(failure is StorageError) { throw Problem(description: "an error that is not typed") }
        if let error = failure as? StorageError, fault == .diskFull || fault == .diskStaysFull, error.suspectsCorruption {
            throw Problem(description: "a full disk is called damage")
        }
        let isSync = call == "fsync" || call == "fdatasync" || call == "msync"
        if failure == nil, isSync, operation == .durableWrite || operation == .largeWrite || operation == .synchronization {
            throw Problem(description: "a sync that failed was passed over")
        }
        if FileManager.default.fileExists(atPath: path + "-copy"), failure != nil { throw Problem(description: "a backup that failed was left") }
        // The engine that met the fault: it goes on, or says with a type of error why not; then it can be closed and opened.
        if let backend {
            do {
                try expect(Self.contents(backend), failure, "after the fault")
            } catch is StorageError {}
            do { try backend.close() } catch is StorageError {}
        }
        let reopened = try engine.open(path)
        let isNew = operation == .making && failure != nil
        if !isNew { try expect(Self.contents(reopened), failure, "after opening again") }
        try EngineOperation.fill(reopened)
        try reopened.close()
        let again = try engine.open(path)
        guard try Self.contents(again)["data"]?.count == Self.expectedCount(again) else { throw Problem(description: "a later write is not there") }
        try again.close()
    }

    private static func expectedCount(_ backend: any StorageBackend) throws -> Int {
        try backend.read { reader in
            guard let keyspace = try reader.keyspace(named: "data") else { return -1 }
            return try 2 * reader.count(in: keyspace)
        }
    }

    private func expect(_ contents: [String: [[UInt8]]], _ failure: (any Error)?, _ moment: String) throws {
        if failure == nil {
            guard contents == after else { throw Problem(description: "\(moment) the change is not there, though no error was reported") }
        } else {
            guard contents == before || contents == after else { throw Problem(description: "\(moment) the contents are neither those before nor those after") }
        }
    }

    private static func contents(_ backend: any StorageBackend) throws -> [String: [[UInt8]]] {
        try backend.read { (reader: any StorageReader) -> [String: [[UInt8]]] in
            var contents: [String: [[UInt8]]] = [:]
            for name in try reader.keyspaceNames() {
                guard let keyspace = try reader.keyspace(named: name) else { continue }
                var entries: [[UInt8]] = []
                try reader.scan(in: keyspace) { key, value in
                    entries += [[UInt8](copying: key), [UInt8](copying: value)]
                    return .next
                }
                contents[name] = entries
            }
            return contents
        }
    }
}
