import TroveStorage

extension Tree {
    /// Calls `visit` with the leaf and position of each entry of a range in the order asked for, until it returns false.
    ///
    /// The tree keeps its nodes meanwhile; what another copy of the value changes is not seen.
    func scan(
        from lower: [UInt8], upTo upper: [UInt8]?, order: ScanOrder, _ visit: (TreeNode, Int) throws -> Bool
    ) rethrows {
        guard let root else { return }
        try lower.withUnsafeBytes { lower in
            let lower = lower.isEmpty ? nil : lower
            if let upper {
                _ = try upper.withUnsafeBytes { try root.scan(from: lower, upTo: $0, order: order, visit) }
            } else {
                _ = try root.scan(from: lower, upTo: nil, order: order, visit)
            }
        }
    }
}

extension TreeNode {
    /// Visits the entries below this node; a nil bound is an end of the subtree. False when the visitor has ended the scan.
    fileprivate func scan(
        from lower: UnsafeRawBufferPointer?, upTo upper: UnsafeRawBufferPointer?, order: ScanOrder,
        _ visit: (TreeNode, Int) throws -> Bool
    ) rethrows -> Bool {
        if isLeaf {
            let first = lower.map { lowerBound(of: $0).position } ?? 0
            let end = upper.map { lowerBound(of: $0).position } ?? count
            switch order {
            case .ascending:
                var position = first
                while position < end {
                    if try !visit(self, position) { return false }
                    position += 1
                }
            case .descending:
                var position = end
                while position > first {
                    position -= 1
                    if try !visit(self, position) { return false }
                }
            }
            return true
        }
        let first = lower.map(childPosition) ?? 0
        let last = upper.map(childPosition) ?? count - 1
        var position = order == .ascending ? first : last
        while position >= first && position <= last {
            let goesOn = try children[position].scan(
                from: position == first ? lower : nil, upTo: position == last ? upper : nil, order: order, visit)
            if !goesOn { return false }
            position += order == .ascending ? 1 : -1
        }
        return true
    }
}
