/// What a condition on documents is about: a value at a path, or one among the members that quantifiers look at.
///
/// `any lines (price > 5)` is about `element.price` behind one quantifier, that of the elements of `lines`.
struct PathSubject: Sendable, Hashable {
    struct Quantifier: Sendable, Hashable {
        let path: FieldPath
        let part: CollectionPart
    }

    /// The outermost first.
    var quantifiers: [Quantifier] = []
    /// The path of the value; inside of quantifiers it begins at the element.
    let last: FieldPath

    /// The first path, which begins at the document.
    var first: FieldPath { quantifiers.first?.path ?? last }
}

/// What an index of all paths has of the values that conditions on one subject are about.
struct PathSlice: Sendable {
    let subject: PathSubject
    /// What the entries of each of its paths begin with; none when there is no such path.
    let prefixes: [[UInt8]]
    /// Whether a document with such an entry has the value there, and not perhaps somewhere else.
    let isExact: Bool
    /// Whether only texts are there.
    let isTextOnly: Bool

    /// The part bytes that entries may have: documents that have nothing at the path have no entry.
    var bounds: (lowest: [UInt8], end: [UInt8]) {
        isTextOnly
            ? ([KeyPart.present, ValueClass.text.rawValue], [KeyPart.present, ValueClass.text.rawValue + 1]) : ([KeyPart.present], [KeyPart.present + 1])
    }
}

extension PathTable {
    /// The paths at which the values are that conditions on a subject are about; nil when the index cannot tell all of them.
    func paths(of subject: PathSubject) -> (numbers: [UInt32], isExact: Bool)? {
        var found = [Self.root]
        var isExact = true
        var all: [[UInt8]] = []
        for (number, quantifier) in subject.quantifiers.enumerated() {
            guard number == 0 || quantifier.path.field.isEmpty, let names = quantifier.path.documentNames else { return nil }
            all += names
            switch quantifier.part {
            case .elements:
                follow(names, &found, &isExact)
                found = found.compactMap { element(of: $0) }
            case .depth:
                guard indexing.hasAllPaths, let name = names.last else { return nil }
                follow(names.dropLast(), &found, &isExact)
                found = below(found, named: name)
            case .descendants:
                guard indexing.hasAllPaths else { return nil }
                follow(names, &found, &isExact)
                found = below(found)
            case .keys, .values: return nil
            }
        }
        guard subject.quantifiers.isEmpty || subject.last.field.isEmpty, let names = subject.last.documentNames else { return nil }
        follow(names, &found, &isExact)
        // The entry of the whole document does not tell what it holds.
        guard !found.contains(Self.root) else { return nil }
        // A path that the index is not to have may lead somewhere though it is not known.
        guard indexing.hasAllPaths || indexing.covers(all + names) else { return nil }
        return (Array(Set(found)).sorted(), isExact)
    }

    /// Goes on by names from each of some paths.
    private func follow(_ names: some Collection<[UInt8]>, _ paths: inout [UInt32], _ isExact: inout Bool) {
        for name in names {
            var next: [UInt32] = []
            for path in paths {
                if let child = name.withUnsafeBytes({ child(of: path, $0, isElement: false) }) { next.append(child) }
                guard FieldContainer.position(named: name) != nil, let element = element(of: path) else { continue }
                // An element at any position.
                next.append(element)
                isExact = false
            }
            paths = next
        }
    }

    private func element(of path: UInt32) -> UInt32? {
        child(of: path, UnsafeRawBufferPointer(start: nil, count: 0), isElement: true)
    }

    /// All paths below some; with a name those that go by it: the paths to values of the name, and to elements of the arrays that these are.
    private func below(_ paths: [UInt32], named name: [UInt8]? = nil) -> [UInt32] {
        // A path's number is above that of its parent.
        var isBelow = [Bool](repeating: false, count: count)
        let starts = Set(paths)
        for path in 1..<UInt32(max(1, count)) {
            let parent = parent(of: path)
            isBelow[Int(path)] = starts.contains(parent) || isBelow[Int(parent)]
        }
        return (0..<UInt32(count)).filter { path in
            guard isBelow[Int(path)] else { return false }
            guard let name else { return true }
            // The elements of an array in which the search begins do not go by the array's name.
            let array = array(of: path)
            return isBelow[Int(array)] && self.name(of: array).elementsEqual(name)
        }
    }

    /// The path itself; of elements that of their array, of arrays in arrays that of the outermost.
    private func array(of path: UInt32) -> UInt32 {
        var path = path
        while isElement(path) { path = parent(of: path) }
        return path
    }
}

extension DocumentIndexing {
    /// Whether the index has the values at a path. Of one with a position it cannot be told: that may be a step to an
    /// element, which has no name, or a name of digits.
    fileprivate func covers(_ names: [[UInt8]]) -> Bool {
        guard !names.contains(where: { FieldContainer.position(named: $0) != nil }) else { return false }
        return if case .covered = coverage(of: names) { true } else { false }
    }
}

extension FieldPath {
    /// The names inside the document, or inside the element, as UTF-8; nil of a path that leads to something else.
    var documentNames: [[UInt8]]? {
        switch field {
        case DocumentField.id, DocumentField.className: nil
        case "", DocumentField.root: names.map { Array($0.utf8) }
        default: ([field] + names).map { Array($0.utf8) }
        }
    }
}
