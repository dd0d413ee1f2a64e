/// Reading and changing a value by path. Nothing here calls itself, so a path may be of any length.
extension StoredValue {
    /// The value at a path; nil when the path leads nowhere.
    ///
    /// - Complexity: O(*n*) in the path's steps.
    public func value(at path: DocumentPath) -> StoredValue? {
        var value = self
        for step in path.steps {
            switch (value, step) {
            case (.object(let fields), .name(let name)):
                guard let next = fields.value(named: name) else { return nil }
                value = next
            case (.array(let elements), .position(let position)):
                guard elements.indices.contains(position) else { return nil }
                value = elements[position]
            default: return nil
            }
        }
        return value
    }

    /// Sets the value at a path. Keyed values that are missing on the way are made, and so is an array whose first element is set; the position after an
    /// array's last element
    /// appends.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path goes through a value that has nothing inside, or past the
    ///   end of an array; then nothing is changed.
    /// - Complexity: O(*n*) in the members of the containers on the way.
    public mutating func set(_ path: DocumentPath, to value: StoredValue) throws(TroveError) {
        self = try changed(at: path) { _ in value } ?? .null
    }

    /// Inserts an element before the one at a path, or appends it when the path's position is the array's count.
    ///
    /// - Throws: ``TroveError/invalidDocumentPath(path:reason:)`` when the path does not end with the position of an element; then nothing is changed.
    public mutating func insert(_ value: StoredValue, at path: DocumentPath) throws(TroveError) {
        guard case .position(let position) = path.steps.last else {
            throw path.problem("insertion needs a position, such as 'tags[0]'")
        }
        self = try changed(at: DocumentPath(path.steps.dropLast())) { found throws(TroveError) in
            guard case .array(var elements)? = found.map({ $0.elements }) ?? .array([]) else { throw path.problem("the value there is not an array") }
            guard (0...elements.count).contains(position) else { throw path.problem("the array has \(elements.count) elements") }
            elements.insert(value, at: position)
            return .array(elements)
        } ?? .null
    }

    /// Removes the value at a path and returns it; nil when the path leads nowhere. The elements behind a removed one move up.
    @discardableResult
    public mutating func remove(at path: DocumentPath) -> StoredValue? {
        guard let found = value(at: path), let last = path.steps.last else { return nil }
        do {
            let parent = DocumentPath(path.steps.dropLast())
            self = try changed(at: parent) { value in
                switch (value, last) {
                case (.object(let fields)?, .name(let name)):
                    var values = fields.dictionary
                    values[name] = nil
                    return .object(values)
                case (.array(let elements)?, .position(let position)):
                    var elements = elements.array
                    elements.remove(at: position)
                    return .array(elements)
                default: return value
                }
            } ?? .null
        } catch {
            // The path was followed before.
            return nil
        }
        return found
    }

    /// What ``insert(_:at:)`` may insert into.
    private enum Elements {
        case array([StoredValue])
        case other
    }

    private var elements: Elements {
        switch self {
        case .array(let elements): .array(elements.array)
        case .null: .array([])
        default: .other
        }
    }

    /// The value with another one at the end of a path.
    ///
    /// - Parameter change: is given what the path leads to, nil for nothing.
    private func changed(
        at path: DocumentPath, _ change: (StoredValue?) throws(TroveError) -> StoredValue?
    ) throws(TroveError) -> StoredValue? {
        var parents: [StoredValue?] = []
        var current: StoredValue? = self
        for step in path.steps {
            parents.append(current)
            switch (current, step) {
            case (nil, .name), (.null?, .name): current = nil
            case (.object(let fields)?, .name(let name)): current = fields.value(named: name)
            case (nil, .position(0)), (.null?, .position(0)): current = nil
            case (nil, .position), (.null?, .position): throw path.problem("there is no array")
            case (.array(let elements)?, .position(let position)):
                guard (0...elements.count).contains(position) else { throw path.problem("the array has \(elements.count) elements") }
                current = position < elements.count ? elements[position] : nil
            case (let value?, .name(let name)): throw path.problem("'\(name)' is sought in \(value.kind.withArticle)")
            case (let value?, .position(let position)): throw path.problem("the position \(position) is sought in \(value.kind.withArticle)")
            }
        }
        var new = try change(current)
        for (parent, step) in zip(parents, path.steps).reversed() {
            guard let value = new else { continue }
            switch (parent, step) {
            case (.object(let fields)?, .name(let name)):
                var values = fields.dictionary
                // Otherwise a name in other scalars that is equal would keep its bytes, by which names are found.
                values.removeValue(forKey: name)
                values[name] = value
                new = .object(values)
            case (_, .name(let name)): new = .object([name: value])
            case (.array(let elements)?, .position(let position)):
                var elements = elements.array
                if position < elements.count { elements[position] = value } else { elements.append(value) }
                new = .array(elements)
            case (_, .position): new = .array([value])
            }
        }
        return new
    }
}

extension StoredFields {
    /// The value of a name, found by its bytes as queries find it.
    func value(named name: String) -> StoredValue? {
        guard let place = index(of: name), case let found = self[place], found.key.hasBytes(of: name) else { return nil }
        return found.value
    }
}

extension DocumentPath {
    fileprivate func problem(_ reason: String) -> TroveError { .invalidDocumentPath(path: steps.isEmpty ? "" : shownInErrors, reason: reason) }

    /// The path as messages show it: its text, where that shows.
    var shownInErrors: String {
        if steps.isEmpty { return "the whole document" }
        return description.isEmpty ? "[\"\"]" : description
    }
}
