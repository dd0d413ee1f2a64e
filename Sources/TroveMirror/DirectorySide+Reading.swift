extension DirectorySide {
    /// - Parameter contents: what the store has, which is asked only when a file lost an object or two files have the same.
    func read(_ report: inout MirrorReport, _ contents: () throws -> MirroredContents) throws {
        found = try DirectoryFiles.all(in: directory) { ledger.files[$0] != nil }
        var unread: Set<ObjectName> = []
        func refuse(_ path: String, _ error: any Error) {
            report.problems.append(.init(file: path, reason: Self.reason(error)))
            blocked.insert(path)
            for name in ledger.files[path]?.names ?? [] {
                self.path[name] = path
                unread.insert(name)
            }
        }
        var seen: [ObjectName: String] = [:]
        let written = noteUntouched(&seen)
        var readings = readings(of: written, &seen, refuse)
        for (path, reason) in copies(readings) { refuse(path, reason) }
        readings.removeAll { blocked.contains($0.path) }
        let finished = try finishedFiles(readings, seen, contents)
        for reading in readings where finished.contains(reading.path) {
            // An object that came from another file is in both until the next run.
            for name in reading.names { seen[name] = nil }
            note(reading.path, reading.names, reading.text, &seen)
            hasNewStamps = true
        }
        for reading in readings where !finished.contains(reading.path) {
            do { try take(reading, &seen) } catch { refuse(reading.path, error) }
        }
        noteGone(seen, unread)
        if !blocked.isEmpty { waitForBlocked(&report) }
    }

    /// Notes the files that are as they were at the last synchronization; returns the others.
    private func noteUntouched(_ seen: inout [ObjectName: String]) -> [String] {
        var written: [String] = []
        for (path, entry) in found {
            if case .file(let stamp, _) = entry, let known = ledger.files[path], known.stamp == stamp {
                note(path, known.names, known.objects, &seen)
            } else {
                written.append(path)
            }
        }
        return written
    }

    /// What files say that were written, but for those that say what they said.
    private func readings(of written: [String], _ seen: inout [ObjectName: String], _ refuse: (String, any Error) -> Void) -> [Reading] {
        var readings: [Reading] = []
        // In the order of the names, so that of two files with one object it is always the same that counts.
        for path in written.sorted() {
            do {
                if let reading = try reading(path) {
                    readings.append(reading)
                } else if let known = ledger.files[path] {
                    note(path, known.names, known.objects, &seen)
                }
            } catch {
                refuse(path, error)
            }
        }
        return readings
    }

    /// Files that were written since the last synchronization and have one object: nobody knows which of them it is.
    private func copies(_ readings: [Reading]) -> [(String, Fault)] {
        let paths = Dictionary(grouping: readings.flatMap { reading in Set(reading.names).map { ($0, reading.path) } }) { $0.0 }.mapValues { $0.map(\.1) }
        return readings.compactMap { reading in
            for name in reading.names {
                if let other = paths[name]?.first(where: { $0 != reading.path }) {
                    return (reading.path, Fault(reason: "\(name.reported) is in \(other) too; delete one of them"))
                }
            }
            return nil
        }
    }

    /// The files that say what the store says, of a run that was broken off after it wrote them: an object that went from one
    /// file to another is then in both, or in none.
    private func finishedFiles(_ readings: [Reading], _ seen: [ObjectName: String], _ contents: () throws -> MirroredContents) throws -> Set<String> {
        let isDoubtful = readings.contains { reading in
            reading.names.contains { seen[$0] != nil } || !Set(ledger.files[reading.path]?.names ?? []).isSubset(of: reading.names)
        }
        guard isDoubtful else { return [] }
        let texts = Dictionary(try contents().files.map { ($0.root, $0.text) }) { first, _ in first }
        // Of a file that somebody copied, neither is: no run writes one object's file twice.
        return Set(readings.filter { reading in
            guard let root = reading.names.first, seen[root].flatMap({ ledger.files[$0]?.names.first }) != root else { return false }
            return texts[root]?.hasBytes(of: reading.text) == true
        }.map(\.path))
    }

    /// Notes what a file has that needs no merge; its objects are read when they are needed.
    private func note(_ path: String, _ names: [ObjectName], _ text: String, _ seen: inout [ObjectName: String]) {
        self.text[path] = text
        for name in names where seen[name] == nil {
            seen[name] = path
            self.path[name] = path
        }
    }

    private func take(_ reading: Reading, _ seen: inout [ObjectName: String]) throws {
        let path = reading.path
        let known = Self.named(ledger.files[path])
        let present = Set(reading.names)
        for name in reading.names {
            if let other = seen[name] { throw Fault(reason: "\(name.reported) is in \(other) too; delete one of them") }
        }
        if present.count < reading.names.count { throw Fault(reason: "an object is in it twice") }
        for (name, object) in known { base[name] = object }
        for name in reading.names {
            seen[name] = path
            self.path[name] = path
        }
        text[path] = reading.text
        hasNewStamps = true
        for (name, _) in known where !present.contains(name) {
            goneNames.insert(name)
            goneFrom[name] = path
        }
        let named = try reading.objects.compactMap { object in try object.name().map { ($0, object) } }
        let new = reading.objects.enumerated().filter { $0.element.id == nil }.map { (newID(path, $0.offset), $0.element) }
        changes.append(Change(path: path, objects: named, newObjects: new))
    }

    /// Notes the files that are not there, and the objects that went with them.
    private func noteGone(_ seen: [ObjectName: String], _ unread: Set<ObjectName>) {
        for (path, file) in ledger.files where found[path] == nil {
            goneFiles.insert(path)
            for (name, object) in Self.named(file) {
                base[name] = base[name] ?? object
                goneNames.insert(name)
                goneFrom[name] = path
                if seen[name] == nil, !unread.contains(name) { self.path[name] = path }
            }
        }
        // What moved from file to file is gone from neither.
        goneNames = goneNames.filter { seen[$0] == nil && !unread.contains($0) }
    }

    /// Leaves alone what may be in a file that could not be read.
    private func waitForBlocked(_ report: inout MirrorReport) {
        // What is gone may be in a file that could not be read, whatever its name: it is judged when all can be, and the
        // file that it is gone from waits as a whole.
        keep(Set(goneNames.map(source)))
        for change in changes where blocked.contains(change.path) {
            report.problems.append(
                .init(file: change.path, reason: "an object is not in it any more, and may be in a file that cannot be read; it waits until all can be"))
        }
        changes.removeAll { blocked.contains($0.path) }
    }
}
